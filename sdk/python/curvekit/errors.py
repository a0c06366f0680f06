"""What this package raises, besides `httpx.HTTPError` for a server that cannot be reached."""


class CurvekitError(Exception):
    """The text says what is wrong, the limit, and what to do. The values in it are attributes too."""

    def __init__(self, text: str, **values: object) -> None:
        super().__init__(text)
        self.__dict__.update(values)


# fmt: off
class InvalidArgument(CurvekitError): """The argument `field` is wrong. Nothing was sent."""
class ProgramError(CurvekitError): """The program refuses the trade, or would: `code` and `name` of its IDL, `field` if known."""
class TransactionFailed(CurvekitError): """The cluster refuses the transaction for another `reason`."""
class Untrusted(CurvekitError): """The service names another program, or its transaction is not the claim. Nothing was signed."""
class OutcomeUnknown(CurvekitError): """The transaction may have landed. Look `signature` up before you sign another one."""
class NotLanded(CurvekitError): """The transaction `signature` ended without an effect. Try again."""
class ApiError(CurvekitError): """The service refuses the request: `status`, `code`, `fields` with their problems, `retry_after`."""
class NodeError(CurvekitError): """The RPC node refuses the request, or does not answer: `data` is its explanation."""
