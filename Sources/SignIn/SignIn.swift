// SignIn
