"""Tools for agents, by the Model Context Protocol: each asks a command of Reactio and passes its JSON on."""
