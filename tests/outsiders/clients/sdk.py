"""Called with the client in sdk/python. Prints what it has read, or how it refuses."""
import asyncio
import dataclasses
import json
import os
import sys
from pathlib import Path

from curvekit import Curve, Keypair, Launchpad, Pubkey, connect, quote_buy, quote_buy_exact_out, quote_sell, service
from curvekit.errors import ApiError, CurvekitError, InvalidArgument, ProgramError
from curvekit.generated import program
from curvekit.generated.api.market import get_token, list_candles, list_token_trades, list_tokens
from curvekit.generated.api.partner_api import get_partner_stats

WALLET = Keypair.from_json(Path(os.environ["KEYPAIR"]).read_text())


async def read(url: str, mint: str, *_: str) -> object:
    async with connect(url) as launchpad, service(url, headers={"x-api-key": os.environ["API_KEY"]}) as partner:
        market = launchpad.api
        trade = (await list_token_trades.asyncio(mint, client=market)).items[0]
        (record,) = await launchpad.records(trade.signature)
        try:
            await get_token.asyncio(str(WALLET.pubkey()), client=market)
        except ApiError as error:
            missing = error.status
        return {
            "mints": [token.mint for token in (await list_tokens.asyncio(client=market, limit=3)).items],
            "symbol": (await get_token.asyncio(mint, client=market)).symbol,
            "signature": trade.signature,
            "slot": trade.slot,
            "solAmount": str(record.sol_amount),
            "opened": (await list_candles.asyncio(mint, client=market)).candles[0][1],
            "volumeSol": (await get_partner_stats.asyncio(client=partner)).volume_sol,
            "sol": (await launchpad.rewards(WALLET))[0].all_time_rewards.sol,
            "missing": missing,
        }


async def attempt(what: str, url: str, mint: str, rpc_url: str) -> object:
    token = Pubkey.from_string(mint)

    async def trade_beyond(launchpad: Launchpad) -> object:
        quote = quote_buy(await launchpad.curve(token), 10_000_000)
        return await launchpad.trade(WALLET, token, dataclasses.replace(quote, minimum_out=quote.amount_out + 1))

    ways = {"claim": lambda it: it.claim(WALLET, token), "buy": lambda it: it.buy(WALLET, token, 10_000_000), "beyond": trade_beyond}
    try:
        async with connect(url, rpc_url=rpc_url) as launchpad:
            done = await ways[what](launchpad)
            return ["done", str(done)]
    except CurvekitError as error:
        return [type(error).__name__, str(error)]


async def vectors(file: str) -> object:
    fixture = json.loads(Path(file).read_text())
    return {"quotes": [quoted(case) for case in fixture["quotes"] if case["exact"] == "in" or case["side"] == "buy"], "buys": [bought(case) for case in fixture["instructions"]]}


def quoted(case: dict[str, object]) -> object:
    curve = Curve(int(case["virtualSol"]), int(case["virtualToken"]), case["feeBps"])
    exact_in = quote_buy if case["side"] == "buy" else quote_sell
    quote = exact_in if case["exact"] == "in" else quote_buy_exact_out
    try:
        made = quote(curve, int(case["amount"]), case["slippageBps"])
    except ProgramError as error:
        return {"refusal": error.code}
    except InvalidArgument:
        return {"refusal": None}
    amounts = [made.amount_in, made.minimum_out, made.amount_out, made.curve_sol, made.fee, made.virtual_sol, made.virtual_token]
    flags = {"clipped": made.clipped, "graduates": made.graduates} if made.is_buy else {}
    return {"quote": {"amounts": [str(amount) for amount in amounts], "priceImpactBps": made.price_impact_bps} | flags}


def bought(case: dict[str, object]) -> object:
    payer, fees, owner = (Pubkey.from_string(key) for key in (case["buyToken"][1]["accounts"][0][0], program.FEE_RECEIVER, program.PROGRAM))
    made = program.buy_token(payer, Pubkey.from_string(case["mint"]), fees, owner, 1, 2**64 - 1)
    accounts = [[str(meta.pubkey), meta.is_signer, meta.is_writable] for meta in made.accounts]
    return {"program": str(made.program_id), "accounts": accounts, "data": bytes(made.data).hex()}


print(json.dumps(asyncio.run({"read": read, "attempt": attempt, "vectors": vectors}[sys.argv[1]](*sys.argv[2:]))))
