"""Results for readers: as data for JSON, as tables for pandas, xarray, plots and notebooks, and as HTML."""
