-- Names are found from each letter inside their words too: three letters and more. `~` begins such a term.
INSERT INTO token_terms (term, mint)
SELECT DISTINCT '~' || substr(term, n), mint
FROM token_terms, generate_series(2, length(term) - 2) n
WHERE substr(term, n, 1) <> ' ' AND substr(term, n - 1, 1) <> ' ';
