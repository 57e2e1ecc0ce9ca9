"""Integration methods that know of singular poses; they join those of reactio.integrate.methods."""
