-- Pictures and metadata that this service stores itself, and hidden tokens.
COMMENT ON TABLE stored_files IS 'Files in the store. A file that no token uses is removed a day after it was last stored.';
COMMENT ON COLUMN stored_files.hash IS 'SHA-256 of the content, in hex.';
COMMENT ON TABLE hidden_tokens IS 'Tokens that an operator has hidden: `curvekit token hide`.';
COMMENT ON COLUMN hidden_tokens.reason IS 'For the operator, not shown to users.';
