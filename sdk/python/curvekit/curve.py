"""The curve's integer maths, equal to the program's to the unit. Lamports for SOL, smallest units for tokens."""

from dataclasses import dataclass, replace

from .errors import InvalidArgument, ProgramError
from .generated import program
from .generated.program import BASIS_POINTS as WHOLE
from .generated.program import GRADUATION_VIRTUAL_TOKEN as RESERVE

U64 = 2**64 - 1


@dataclass(frozen=True)
class Curve:
    virtual_sol: int
    virtual_token: int
    fee_bps: int
    status: int = program.STATUS_TRADING
    circulating: int = program.TOKEN_SUPPLY


@dataclass(frozen=True)
class Quote:
    """A trade: its limits `amount_in` and `minimum_out`, and what it does now. `curve_sol` is without the fee.

    A buy that graduates the curve can be clipped: it pays less than `amount_in`, and `minimum_out` limits its price.
    """

    is_buy: bool
    amount_in: int
    minimum_out: int
    amount_out: int
    curve_sol: int
    fee: int
    virtual_sol: int
    virtual_token: int
    price_impact_bps: int
    clipped: bool = False
    graduates: bool = False


def quote_buy(curve: Curve, sol_to_spend: int, slippage_bps: int = 0) -> Quote:
    _check(curve, slippage_bps, "sol_to_spend", sol_to_spend)
    vs, vt, fee = curve.virtual_sol, curve.virtual_token, _up(sol_to_spend * curve.fee_bps, WHOLE)
    left, net = vt - RESERVE, sol_to_spend - fee
    quoted = out = vt * net // max(vs + net, 1)
    if clipped := out > left >= 0:
        out, net = left, _up(vs * left, RESERVE)
        fee = _up(net * curve.fee_bps, WHOLE - curve.fee_bps)
        quoted = min(out * sol_to_spend // max(net + fee, 1), U64)
    if out == 0 or left < 0 or vs + net > U64:
        raise refused(6005, f"sol_to_spend is {sol_to_spend}; it must buy at least one unit of the {max(left, 0)} left", "sol_to_spend")
    least, impact = _up(quoted * (WHOLE - slippage_bps), WHOLE), _impact(net * vt, out * vs)
    return Quote(True, sol_to_spend, least, out, net, fee, vs + net, vt - out, impact, clipped, out == left)


def quote_buy_exact_out(curve: Curve, token_to_receive: int, slippage_bps: int = 0) -> Quote:
    """`amount_in` is the least that buys this amount now, plus the slippage, which buys extra tokens."""
    _check(curve, slippage_bps, "token_to_receive", token_to_receive)
    net = _up(curve.virtual_sol * token_to_receive, max(curve.virtual_token - token_to_receive, 1))
    if not 0 < token_to_receive <= curve.virtual_token - RESERVE or curve.virtual_sol + net > U64:
        limit = f"it must be from 1 to the {max(curve.virtual_token - RESERVE, 0)} left, and cost no more than a u64 holds"
        raise InvalidArgument(f"token_to_receive is {token_to_receive}; {limit}", field="token_to_receive")
    most = _up(net * WHOLE, WHOLE - curve.fee_bps) * (WHOLE + slippage_bps) // WHOLE
    return replace(quote_buy(curve, most), minimum_out=token_to_receive)


def quote_sell(curve: Curve, token_to_spend: int, slippage_bps: int = 0) -> Quote:
    _check(curve, slippage_bps, "token_to_spend", token_to_spend)
    vs, vt = curve.virtual_sol, curve.virtual_token + token_to_spend
    gross = vs * token_to_spend // max(vt, 1)
    fee = _up(gross * curve.fee_bps, WHOLE)
    if gross == fee or vt > U64 or token_to_spend > curve.circulating:
        limit = f"it must yield at least one lamport after the fee, and {curve.circulating} units circulate"
        raise refused(6005, f"token_to_spend is {token_to_spend}; {limit}", "token_to_spend")
    least, impact = _up((gross - fee) * (WHOLE - slippage_bps), WHOLE), _impact(token_to_spend * vs, gross * curve.virtual_token)
    return Quote(False, token_to_spend, least, gross - fee, gross, fee, vs - gross, vt, impact)


def refused(code: int, problem: str, field: str | None = None) -> ProgramError:
    name = program.ERRORS[code]
    return ProgramError(f"{name} ({code}): {problem}", code=code, name=name, field=field)


def _check(curve: Curve, slippage_bps: int, field: str, amount: int) -> None:
    most = {"virtual_sol": U64, "virtual_token": U64, "fee_bps": program.MAX_PLATFORM_FEE_BPS, "slippage_bps": WHOLE, field: U64}
    for name, value in {**vars(curve), "slippage_bps": slippage_bps, field: amount}.items():
        if name in most and (type(value) is not int or not 0 <= value <= most[name]):
            raise InvalidArgument(f"{name} is {value!r}; it must be an int from 0 to {most[name]}", field=name)
    if curve.status != program.STATUS_TRADING:
        raise refused(6001, "the curve has graduated, and this client does not trade in pools", "status")


def _up(dividend: int, divisor: int) -> int:
    return -(-dividend // divisor)


def _impact(ideal: int, actual: int) -> int:
    return _up((ideal - actual) * WHOLE, ideal) if ideal else 0
