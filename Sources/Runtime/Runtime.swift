// Runtime
