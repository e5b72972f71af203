"""The menu: a model that knows no terminal (draft, problems, model, details), and the application that shows it."""
