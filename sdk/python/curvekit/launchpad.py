"""A launchpad, found by the URL of its service: trades on its curves, their log records, a wallet's rewards."""

import asyncio
import base64
import hashlib
import re
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from solders.compute_budget import set_compute_unit_limit, set_compute_unit_price
from solders.hash import Hash
from solders.instruction import AccountMeta, Instruction
from solders.keypair import Keypair
from solders.message import MessageV0, to_bytes_versioned
from solders.pubkey import Pubkey
from solders.token.associated import get_associated_token_address as token_account
from solders.transaction import VersionedTransaction

from .curve import Curve, Quote, quote_buy, quote_sell, refused
from .errors import ApiError, InvalidArgument, NodeError, NotLanded, OutcomeUnknown, TransactionFailed, Untrusted
from .generated import models, program
from .generated.api.launchpad import get_launchpad
from .generated.api.rewards import get_rewards, get_token_rewards, initiate_claim
from .generated.client import Client
from .generated.program import ASSOCIATED_TOKEN, SYSTEM, TOKEN

READ = {"commitment": "confirmed", "encoding": "base64"}
READ_TRANSACTION = {"commitment": "confirmed", "encoding": "json", "maxSupportedTransactionVersion": 255}
SEND = {"encoding": "base64", "maxRetries": 0, "preflightCommitment": "confirmed"}
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
MOST_NETWORK_FEE = 100_000  # Lamports that the service may deduct from a claim of SOL.


@asynccontextmanager
async def connect(url: str, *, program_id: str = program.PROGRAM, rpc_url: str = "") -> AsyncIterator["Launchpad"]:
    """Raises Untrusted unless the service names `program_id`, by default the program of this package's IDL."""
    async with service(url) as api, httpx.AsyncClient(timeout=30) as http:
        info = await get_launchpad.asyncio(client=api)
        if (named := info.deployment.program_id) != program_id:
            raise Untrusted(f"{url} names program {named}, expected {program_id}: ask the launchpad's operator before you trade")
        yield Launchpad(url, api, info, http, rpc_url or info.rpc_url or f"{url.rstrip('/')}/rpc")


class Launchpad:
    """`info` is what the service says of itself, `api` the client for `curvekit.generated.api`."""

    def __init__(self, url: str, api: Client, info: models.LaunchpadInfo, http: httpx.AsyncClient, rpc_url: str) -> None:
        self.url, self.api, self.info, self._http, self._rpc_url = url, api, info, http, rpc_url
        keys = (info.deployment.program_id, info.deployment.graduation.program_id, info.deployment.fee_receiver)
        self.program, self.graduation, self._fees = map(Pubkey.from_string, keys)

    async def rpc(self, method: str, *params: object) -> Any:
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        response = await self._http.post(self._rpc_url, json=request)
        try:
            answer = response.json()
            if "result" in answer:
                return answer["result"]
            raise NodeError(f"{method}: {answer['error']}", data=answer["error"].get("data"))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise NodeError(f"{method}: HTTP {response.status_code} without an answer of an RPC node", data=None) from error

    async def curve(self, mint: Pubkey) -> Curve:
        """The state that quotes need."""
        curve, _ = Pubkey.find_program_address([program.TOKEN_OWNER_SEED, bytes(mint)], self.program)
        settings, _ = Pubkey.find_program_address([program.SETTINGS_SEED], self.program)
        answer = await self.rpc("getMultipleAccounts", [str(key) for key in (curve, settings, token_account(curve, mint))], READ)
        data = [base64.b64decode(account["data"][0]) if account else b"" for account in answer["value"]]
        if not all(account[:8] in program.ACCOUNTS for account in data[:2]):
            raise InvalidArgument(f"mint is {mint}, which has no curve of {self.program} on this cluster", field="mint")
        state, properties = program.TokenOwnerData.decode(data[0]), program.Properties.decode(data[1])
        circulating = program.TOKEN_SUPPLY - int.from_bytes(data[2][64:72], "little")
        return Curve(state.virtual_sol, state.virtual_token, properties.platform_fee_bps, state.initialized, circulating)

    async def buy(self, wallet: Keypair, mint: Pubkey, sol_to_spend: int, slippage_bps: int = 100) -> program.TradeRecord:
        return await self.trade(wallet, mint, quote_buy(await self.curve(mint), sol_to_spend, slippage_bps))

    async def sell(self, wallet: Keypair, mint: Pubkey, token_to_spend: int, slippage_bps: int = 100) -> program.TradeRecord:
        return await self.trade(wallet, mint, quote_sell(await self.curve(mint), token_to_spend, slippage_bps))

    async def trade(self, wallet: Keypair, mint: Pubkey, quote: Quote, unit_price: int = 0) -> program.TradeRecord:
        """Trades within the quote's limits. `unit_price`: the priority fee, in micro-lamports for each of 100,000 units."""
        payer, build = wallet.pubkey(), program.buy_token if quote.is_buy else program.sell_token
        # Equal trades with one blockhash would be one transaction, so each has another limit.
        steps = [set_compute_unit_limit(100_000 + secrets.randbelow(1024)), set_compute_unit_price(unit_price)]
        keys = [(payer, True), (token_account(payer, mint), True), *((key, False) for key in (payer, mint, SYSTEM, TOKEN))]
        steps.append(Instruction(ASSOCIATED_TOKEN, b"\1", [AccountMeta(key, False, writable) for key, writable in keys]))
        steps.append(build(payer, mint, self._fees, self.program, quote.amount_in, quote.minimum_out))
        latest = (await self.rpc("getLatestBlockhash", READ))["value"]
        message = MessageV0.try_compile(payer, steps, [], Hash.from_string(latest["blockhash"]))
        transaction = VersionedTransaction(message, [wallet])
        for record in self._records(await self._land(transaction, latest["lastValidBlockHeight"])):
            if isinstance(record, program.TradeRecord) and (record.trader, record.mint) == (payer, mint):
                paid, got = (record.sol_amount, record.token_amount)[:: 1 if quote.is_buy else -1]
                if paid <= quote.amount_in and got * quote.amount_in >= quote.minimum_out * paid:
                    return record
        raise _unknown(transaction, "the RPC node shows no trade within the quote's limits")

    async def _land(self, transaction: VersionedTransaction, last_height: int) -> Any:
        """Sends until a confirmed block has the transaction, and returns it. The first time the node simulates it."""
        signature, wire = str(transaction.signatures[0]), base64.b64encode(bytes(transaction)).decode()
        for tries in range(300):
            try:
                height = await self.rpc("getBlockHeight", READ) if tries else 0
                if tries and (answer := await self.rpc("getTransaction", signature, READ_TRANSACTION)) is not None:
                    if answer["meta"]["err"] is None:
                        return answer
                    raise _failure(answer["meta"]["err"])
                if height > last_height + 32:  # A node can have a block some slots before its transactions.
                    raise NotLanded(f"transaction {signature} has expired: try again", signature=signature)
                await self.rpc("sendTransaction", wire, {**SEND, "skipPreflight": tries > 0})
            except NodeError as error:
                if tries == 0 and isinstance(error.data, dict) and error.data.get("err"):
                    raise _failure(error.data["err"]) from error
            except httpx.HTTPError:
                pass  # It may have landed.
            await asyncio.sleep(0.4)
        raise _unknown(transaction, "the RPC node does not answer")

    async def records(self, signature: str) -> list[Any]:
        """What a transaction's programs logged by calling themselves, which nobody else can: a TradeRecord, for example."""
        if (answer := await self.rpc("getTransaction", signature, READ_TRANSACTION)) is None:
            raise InvalidArgument(f"signature is {signature}, which the RPC node does not know: ask again", field="signature")
        return self._records(answer)

    def _records(self, answer: Any) -> list[Any]:
        meta, found, sources = answer["meta"], [], program.record_sources(self.program, self.graduation)
        loaded = meta.get("loadedAddresses") or {"writable": [], "readonly": []}
        keys = [*answer["transaction"]["message"]["accountKeys"], *loaded["writable"], *loaded["readonly"]]
        for call in (call for group in meta["innerInstructions"] for call in group["instructions"] if meta["err"] is None):
            caller = tuple(keys[index] for index in (call["programIdIndex"], *call["accounts"]))
            kinds, start = sources.get(caller, ({}, 0))
            data = _base58(call["data"]) if kinds else b""
            if data.startswith(program.RECORD_TAG) and (kind := kinds.get(data[start : start + 8])):
                found.append(kind.decode(data[start:]))
        return found

    async def rewards(self, wallet: Keypair) -> list[models.RewardEntry]:
        found, cursor = [], {}
        async with service(self.url, wallet) as api:
            while cursor is not None:
                page = await get_rewards.asyncio_detailed(str(wallet.pubkey()), client=api, **cursor)
                found += page.parsed.data
                link = re.search(r'[?&]cursor=([\w-]+)[^>]*>; *rel="?next', page.headers.get("link", ""))
                cursor = {"cursor": link[1]} if link and page.parsed.data else None
        return found

    async def claim(self, wallet: Keypair, mint: Pubkey, kind: str = "SOL") -> tuple[str, int]:
        """Claims the final rewards of one kind, "SOL" or "TOKEN". Returns the signature and the amount once they are paid."""
        address, token = str(wallet.pubkey()), str(mint)
        body = models.ClaimRequest(token, models.ClaimRequestClaimType(kind))
        async with service(self.url, wallet) as api:
            before = (await get_token_rewards.asyncio(address, token, client=api)).data.unclaimed_rewards
            answer = await initiate_claim.asyncio(address, client=api, body=body, idempotency_key=secrets.token_hex(16))
            claim, amount = _checked_claim(answer.data.tx, wallet.pubkey(), mint, kind)
            after = (await get_token_rewards.asyncio(address, token, client=api)).data.unclaimed_rewards
        missing = getattr(before, kind.lower()) - getattr(after, kind.lower()) - amount  # What is not final stays unclaimed.
        if missing > (MOST_NETWORK_FEE if kind == "SOL" else 0):
            raise Untrusted(f"the claim gives {amount}, and {missing} more that were unclaimed are gone; nothing was signed")
        signatures = [claim.signatures[0], wallet.sign_message(to_bytes_versioned(claim.message))]
        last_height = 150 + await self.rpc("getBlockHeight", READ)
        await self._land(VersionedTransaction.populate(claim.message, signatures), last_height)
        return str(claim.signatures[0]), amount


def service(url: str, wallet: Keypair | None = None, headers: dict[str, str] | None = None) -> Client:
    """A client for `curvekit.generated.api` that raises ApiError. With a wallet it signs each request."""
    prefix = httpx.URL(url).path.rstrip("/")

    def sign(request: httpx.Request) -> httpx.Request:
        now, path = str(time.time_ns() // 1_000_000), request.url.path.removeprefix(prefix)
        text = f"{now}\n{request.method}\n{path}\n{hashlib.sha256(request.content).hexdigest()}"
        signature = str(wallet.sign_message(text.encode()))
        request.headers.update({"X-Timestamp": now, "X-Signature": signature, "X-Signature-Scheme": "bound"})
        return request

    arguments = {"auth": wallet and sign, "event_hooks": {"response": [_refuse]}}
    return Client(url, headers=headers or {}, timeout=httpx.Timeout(30), httpx_args=arguments)


async def _refuse(response: httpx.Response) -> None:
    if response.is_success:
        return
    await response.aread()
    is_json = response.headers.get("content-type", "").startswith("application/json")
    body = response.json() if is_json else {"message": "the answer is not the service's: is the URL right?"}
    status, code = response.status_code, body.get("code") or body.get("error") or "UNKNOWN"
    fields = {problem["field"]: problem["message"] for problem in body.get("errors") or []}
    text = "; ".join([f"{code} ({status}): {body.get('message')}", *(" ".join(problem) for problem in fields.items())])
    raise ApiError(text, status=status, code=code, fields=fields, retry_after=response.headers.get("retry-after"))


def _checked_claim(encoded: str, wallet: Pubkey, mint: Pubkey, kind: str) -> tuple[VersionedTransaction, int]:
    """The service's transaction and what it pays. Raises Untrusted unless it pays the wallet and does nothing else."""
    try:
        transaction = VersionedTransaction.from_bytes(base64.b64decode(encoded, validate=True))
        message, keys = transaction.message, transaction.message.account_keys
        steps = [(keys[step.program_id_index], [keys[at] for at in step.accounts], step.data) for step in message.instructions]
    except (ValueError, IndexError) as error:
        raise Untrusted(f"the service's claim cannot be read ({error}); nothing was signed") from error
    payer, own, last = keys[0], token_account(wallet, mint), steps[-1][2] if steps else b""
    paid = last[4:12] if kind == "SOL" else last[1:9]
    sol = (SYSTEM, [payer, wallet, mint], b"\2\0\0\0" + paid)
    opening = (ASSOCIATED_TOKEN, [payer, own, wallet, mint, SYSTEM, TOKEN], b"\1")
    units = paid + bytes([program.TOKEN_DECIMALS])
    transfer = (TOKEN, [token_account(payer, mint), mint, own, payer, wallet], b"\x0c" + units)
    signers = keys[: message.header.num_required_signatures]
    is_plain = isinstance(message, MessageV0) and not message.address_table_lookups and payer != wallet and any(paid)
    if not is_plain or signers != [payer, wallet] or steps not in ([[sol]] if kind == "SOL" else [[transfer], [opening, transfer]]):
        raise Untrusted("the service's transaction does more than pay the claim to the wallet, or less; nothing was signed")
    return transaction, int.from_bytes(paid, "little")


def _failure(problem: Any) -> Exception:
    cause = problem.get("InstructionError", [0, None])[1] if isinstance(problem, dict) else None
    code = cause.get("Custom") if isinstance(cause, dict) else None
    if code in program.ERRORS:
        return refused(code, "the program refuses the trade; if the price has moved, quote again")
    return TransactionFailed(f"the cluster refuses the transaction: {problem}", reason=problem)


def _unknown(transaction: VersionedTransaction, problem: str) -> OutcomeUnknown:
    signature = str(transaction.signatures[0])
    return OutcomeUnknown(f"{problem}; {signature} may have landed: look it up before you sign again", signature=signature)


def _base58(text: str) -> bytes:
    number = 0
    for character in text:
        number = number * 58 + BASE58.index(character)
    return bytes(len(text) - len(text.lstrip("1"))) + number.to_bytes((number.bit_length() + 7) // 8)
