-- Log records of the program, and trades. `reindex` reads all of it from the chain again.
COMMENT ON TABLE other_records IS 'Log records other than trades. `id` grows in the order of the chain.';
COMMENT ON COLUMN other_records.outer IS 'Index of the outer instruction.';
COMMENT ON COLUMN other_records.inner IS 'Index of the inner instruction; −1 when the outer one made the record.';
COMMENT ON COLUMN other_records.mint IS 'Null for an unknown record.';
COMMENT ON COLUMN other_records.raw IS 'The bytes in base64, only for unknown records: a later version may be able to decode them.';
COMMENT ON TABLE trade_rows IS 'Trades on the curves, which are log records, and in the pools of graduated tokens. All ids are of one sequence, and each partition has 10,000,000 of them (docs/decisions/trade-tables.md).';
COMMENT ON COLUMN trade_rows.outer IS 'Index of the outer instruction.';
COMMENT ON COLUMN trade_rows.inner IS 'Index of the inner instruction; −1 when the outer one made the trade.';
COMMENT ON COLUMN trade_rows.sol_amount IS 'Lamports that the trader paid or received, including the fee.';
COMMENT ON COLUMN trade_rows.fee IS 'The platform''s or the pool''s fee in lamports.';
COMMENT ON COLUMN trade_rows.virtual_sol IS 'Reserves of the curve or the pool after the trade.';
COMMENT ON COLUMN trade_rows.in_pool IS 'Whether the trade happened in the pool of a graduated token, else on its curve.';
COMMENT ON COLUMN trade_rows.graduated IS 'Whether the trade bought the last tokens of the curve.';
COMMENT ON COLUMN trade_rows.timestamp IS 'Unix seconds of the cluster''s clock.';
COMMENT ON VIEW trades IS 'Trades with the texts of their addresses.';
COMMENT ON TABLE addresses IS 'A number for each mint and each wallet of a trade, which is a tenth as long. Never deleted.';
COMMENT ON TABLE unfinalized IS 'Records of a curve, and trades in pools, that a reorg can still drop. A final one has no row here.';
COMMENT ON VIEW records IS 'Every log record, once.';
