// Lint
