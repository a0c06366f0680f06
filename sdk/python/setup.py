"""Each build generates `curvekit.generated`: the HTTP client from the OpenAPI document, `program.py` from the IDLs."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).parent.resolve()
FORMATS = {"u8": "B", "bool": "?", "u16": "H", "u64": "Q", "i64": "q"}
SIZES = {"u8": 1, "bool": 1, "u16": 2, "u64": 8, "i64": 8}
TYPES = {"pubkey": "Pubkey", "bool": "bool", "string": "str"}
BUMPS = {"pda_token_nonce": "token_owner_pda", "logging_account_bump": "log_authority_account"}
# Keys of a build: the IDL has those of one, a launchpad names its own.
OF_BUILD = ("program_account", "fee_account")
HEAD = '''"""Generated from the IDLs. Do not edit."""

import struct
from dataclasses import dataclass
from typing import Self

from solders.instruction import AccountMeta, Instruction
from solders.pubkey import Pubkey
'''


def constant(entry: dict[str, Any]) -> str:
    value = entry["value"] if entry["type"] == "pubkey" else json.loads(entry["value"])
    return f"{entry['name']} = {bytes(value) if entry['type'] == 'bytes' else value!r}"


def reading(name: str, kind: str) -> str:
    if kind == "pubkey":
        return f"        {name}, at = Pubkey(data[at : at + 32]), at + 32"
    if kind == "string":
        size = "        (size,), at = struct.unpack_from('<I', data, at), at + 4"
        return f"{size}\n        {name}, at = data[at : at + size].decode(), at + size"
    return f"        ({name},), at = struct.unpack_from('<{FORMATS[kind]}', data, at), at + {SIZES[kind]}"


def dataclass_of(idl: dict[str, Any], name: str) -> str:
    fields = [(f["name"], f["type"], " ".join(f.get("docs", []))) for t in idl["types"] if t["name"] == name for f in t["type"]["fields"]]
    lines = ["", "", "@dataclass(frozen=True)", f"class {name}:"]
    lines += [f"    {field}: {TYPES.get(kind, 'int')}  # {doc}".rstrip(" #") for field, kind, doc in fields]
    lines += ["", "    @classmethod", "    def decode(cls, data: bytes) -> Self:", "        at = 8"]
    lines += [reading(field, kind) for field, kind, _ in fields]
    return "\n".join([*lines, f"        return cls({', '.join(field for field, _, _ in fields)})"])


def tags(name: str, idl: dict[str, Any], kind: str) -> str:
    return f"{name} = {{{', '.join(f'''{bytes(e['discriminator'])}: {e['name']}''' for e in idl[kind])}}}"


def builder(form: dict[str, Any]) -> str:
    """A function that derives what the IDL has seeds for, and the bumps, and takes the rest."""
    derived, given, metas = [], [], []
    for account in form["accounts"]:
        key = name = account["name"]
        if "pda" in account:
            pda = account["pda"]
            seeds = ", ".join(str(bytes(s["value"])) if "value" in s else f"bytes({s['path']})" for s in pda["seeds"])
            owner = f"Pubkey({bytes(pda['program']['value'])})" if "program" in pda else "program_account"
            derived.append(f"    {name}, {name}_bump = Pubkey.find_program_address([{seeds}], {owner})")
        elif "address" in account and name not in OF_BUILD:
            key = f"Pubkey.from_string('{account['address']}')"
        else:
            given.append(f"{name}: Pubkey")
        metas.append(f"        AccountMeta({key}, {account.get('signer', False)}, {account.get('writable', False)}),")
    amounts = [f"{arg['name']}: int" for arg in form["args"] if arg["name"] not in BUMPS]
    values = [f"{BUMPS[arg['name']]}_bump" if arg["name"] in BUMPS else arg["name"] for arg in form["args"]]
    packed = f"struct.pack('<{''.join(FORMATS[arg['type']] for arg in form['args'])}', {', '.join(values)})"
    head = f"\n\ndef {form['name']}({', '.join(given + amounts)}) -> Instruction:"
    lines = [head, *derived, f"    data = {bytes(form['discriminator'])} + {packed}"]
    return "\n".join([*lines, "    return Instruction(program_account, data, [", *metas, "    ])"])


def record_source(idl: dict[str, Any], program: str, kinds: str) -> str:
    """The program and its authority, which make a record together, and where it begins in the data of their call."""
    form = next(form for form in idl["instructions"] if form["name"] == "validate_log_record")
    seeds = [bytes(seed["value"]) for seed in form["accounts"][0]["pda"]["seeds"]]
    offset = 8 + sum(SIZES[arg["type"]] for arg in form["args"])
    return f"        (str({program}), str(Pubkey.find_program_address({seeds}, {program})[0])): ({kinds}, {offset}),"


def program() -> str:
    paths = [HERE.parents[1] / "programs" / "artifacts" / f"{name}.json" for name in ("bonding_curve", "graduation")]
    curve, graduation = (json.loads(path.read_text()) for path in paths)
    log = next(form for form in curve["instructions"] if form["name"] == "validate_log_record")
    parts = [HEAD, *map(constant, curve["constants"]), f"PROGRAM = {curve['address']!r}"]
    parts += [f"ERRORS = {({e['code']: e['name'] for e in curve['errors']})}", f"RECORD_TAG = {bytes(log['discriminator'])}"]
    parts += [dataclass_of(curve, entry["name"]) for entry in (*curve["accounts"], *curve["events"])]
    parts += [dataclass_of(graduation, entry["name"]) for entry in graduation["events"]]
    parts += ["\n", tags("ACCOUNTS", curve, "accounts"), tags("RECORDS", curve, "events"), tags("GRADUATION_RECORDS", graduation, "events")]
    trade = {account["name"]: account for account in next(f for f in curve["instructions"] if f["name"] == "buy_token")["accounts"]}
    shared = {"SYSTEM": trade["system_program"]["address"], "TOKEN": trade["token_program"]["address"]}
    parts += [f"{name} = Pubkey.from_string({key!r})" for name, key in shared.items()]
    parts += [f"ASSOCIATED_TOKEN = Pubkey({bytes(trade['user_token_account']['pda']['program']['value'])})"]
    parts += ["\n\ndef record_sources(program: Pubkey, graduation: Pubkey) -> dict[tuple[str, str], tuple[dict[bytes, type], int]]:"]
    parts += ["    return {", record_source(curve, "program", "RECORDS")]
    parts += [record_source(graduation, "graduation", "GRADUATION_RECORDS"), "    }"]
    parts += [builder(form) for form in curve["instructions"] if form["name"] in ("buy_token", "sell_token")]
    return "\n".join(parts) + "\n"


class Generate(build_py):
    def run(self) -> None:
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        to = (HERE if self.editable_mode else Path(self.build_lib).resolve()) / "curvekit" / "generated"
        document = HERE.parent / "src" / "generated" / "api" / "openapi.json"
        command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", document, "--output-path", to]
        options = ["--meta", "none", "--config", HERE / "generator.yaml", "--overwrite", "--fail-on-warning"]
        subprocess.run([*command, *options], check=True)
        (to / "program.py").write_text(program())


setup(cmdclass={"build_py": Generate})
