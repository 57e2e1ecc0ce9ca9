"""Motion with contacts that close and open: from event to event, or in time steps with friction."""
