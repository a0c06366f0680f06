"""Called with the client that openapi-generator makes for Python. Prints what it has read."""
import json
import sys

import launchpad

url, mint, wallet, timestamp, signature, key = sys.argv[1:]
keys = {"timestamp": timestamp, "signature": signature, "apiKey": key}
client = launchpad.ApiClient(launchpad.Configuration(host=url, api_key=keys))
market = launchpad.MarketApi(client)
trade = market.list_token_trades(mint).items[0]
read = {
    "mints": [token.mint for token in market.list_tokens(limit=3).items],
    "symbol": market.get_token(mint).symbol,
    "signature": trade.signature,
    "slot": trade.slot,
    "solAmount": trade.sol_amount,
    "opened": market.list_candles(mint, interval=60).candles[0][1],
    "volumeSol": launchpad.PartnerAPIApi(client).get_partner_stats().volume_sol,
    "sol": launchpad.RewardsApi(client).get_rewards(wallet).data[0].all_time_rewards.sol,
}
try:
    market.get_token(wallet)
except launchpad.exceptions.NotFoundException as error:
    read["missing"] = error.status
print(json.dumps(read))
