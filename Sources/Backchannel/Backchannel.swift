// Backchannel
