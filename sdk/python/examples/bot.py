"""Buys each new token for 0.05 SOL, and sells it at a gain of 20 %: python sdk/python/examples/bot.py"""

import asyncio
import os
from pathlib import Path

from curvekit import CurvekitError, Keypair, Launchpad, Pubkey, connect, quote_sell
from curvekit.generated.api.market import list_tokens

SPENT = 50_000_000


async def hold(launchpad: Launchpad, wallet: Keypair, mint: Pubkey) -> None:
    try:
        bought = await launchpad.buy(wallet, mint, SPENT, slippage_bps=300)
        print(f"bought {bought.token_amount} of {mint}", flush=True)
        while (quote := quote_sell(await launchpad.curve(mint), bought.token_amount, 300)).amount_out * 10 < SPENT * 12:
            await asyncio.sleep(1)
        sold = await launchpad.trade(wallet, mint, quote)
        print(f"sold {mint}: {sold.sol_amount} lamports for {bought.sol_amount}", flush=True)
    except CurvekitError as error:
        print(f"{mint}: {error}", flush=True)


async def main() -> None:
    wallet = Keypair.from_json(Path(os.environ["KEYPAIR"]).read_text())
    async with connect(os.environ["LAUNCHPAD_URL"]) as launchpad, asyncio.TaskGroup() as positions:
        seen: set[str] = set()
        while True:
            mints = {token.mint for token in (await list_tokens.asyncio(client=launchpad.api)).items}
            if not seen:
                print("watching", flush=True)
            for mint in mints - seen if seen else ():
                positions.create_task(hold(launchpad, wallet, Pubkey.from_string(mint)))
            seen |= mints
            await asyncio.sleep(1)


asyncio.run(main())
