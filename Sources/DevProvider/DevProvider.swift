// DevProvider
