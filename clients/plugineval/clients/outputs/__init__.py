"""What models emit, in whatever shape their provider wraps it, read into calls: mended with a note, never dropped."""
