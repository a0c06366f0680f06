"""Client of Curvekit launchpads. Lamports for SOL, smallest units for tokens."""

from solders.keypair import Keypair
from solders.pubkey import Pubkey

from .curve import Curve, Quote, quote_buy, quote_buy_exact_out, quote_sell
from .errors import CurvekitError
from .launchpad import Launchpad, connect, service
