"""Called with the client that openapi-python-client makes. Prints what it has read."""
import json
import sys

from launchpad_python import Client
from launchpad_python.api.market import get_token, list_candles, list_token_trades, list_tokens
from launchpad_python.api.partner_api import get_partner_stats
from launchpad_python.api.rewards import get_rewards

url, mint, wallet, timestamp, signature, key = sys.argv[1:]
headers = {"X-Timestamp": timestamp, "X-Signature": signature, "x-api-key": key}
client = Client(base_url=url, headers=headers)
trade = list_token_trades.sync(mint, client=client).items[0]
read = {
    "mints": [token.mint for token in list_tokens.sync(client=client, limit=3).items],
    "symbol": get_token.sync(mint, client=client).symbol,
    "signature": trade.signature,
    "slot": trade.slot,
    "solAmount": trade.sol_amount,
    "opened": list_candles.sync(mint, client=client).candles[0][1],
    "volumeSol": get_partner_stats.sync(client=client).volume_sol,
    "sol": get_rewards.sync(wallet, client=client).data[0].all_time_rewards.sol,
    "missing": get_token.sync_detailed(wallet, client=client).status_code.value,
}
print(json.dumps(read))
