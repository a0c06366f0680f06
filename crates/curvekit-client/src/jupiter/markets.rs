//! A list of markets. A curve account does not say which mint it belongs to, so Jupiter cannot find the markets with
//! `getProgramAccounts` alone: it needs the mints. They are in the program's creation records, and in the token list of a
//! launchpad's service.

use anyhow::{Context, Result};
use serde_json::{json, Value};
use solana_pubkey::Pubkey;

use super::{
    super::interface::{AccountMap, Amm, KeyedAccount, Market},
    addresses_in_params, CurveAmm,
};
use crate::{addresses::CurveAddresses, deployment::Deployment};

/// One market of a list: what a curve account does not say about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurveMarket {
    /// The token's mint.
    pub mint: Pubkey,
    /// The fee receiver that is compiled into the program.
    pub fee_receiver: Pubkey,
}

impl CurveMarket {
    /// Reads a list of `{ "mint": "<address>", "feeReceiver": "<address>" }`.
    ///
    /// # Errors
    /// For a value that is not a list, and for an entry without the two addresses. The error names the entry.
    pub fn read_list(list: &Value) -> Result<Vec<Self>> {
        let entries = list.as_array().context("the list of markets is not a JSON array")?;
        let read = |(index, entry): (usize, &Value)| -> Result<Self> {
            let (mint, fee_receiver) = addresses_in_params(format_args!("market {index}"), Some(entry))?;
            let fee_receiver = fee_receiver.with_context(|| format!("market {index}: feeReceiver is missing"))?;
            Ok(Self { mint, fee_receiver })
        };
        entries.iter().enumerate().map(read).collect()
    }

    /// Jupiter's entry of this market, for a program: the address of the curve account, and the `params` that
    /// [`CurveAmm`] reads.
    pub fn market(&self, program_id: &Pubkey) -> Market {
        let Self { mint, fee_receiver } = self;
        let params = json!({ "mint": mint.to_string(), "feeReceiver": fee_receiver.to_string() });
        Market { pubkey: CurveAddresses::curve_of(mint, program_id).address, owner: *program_id, params: Some(params) }
    }
}

impl CurveAmm {
    /// The markets of a list, in its order, from accounts that the caller has fetched: at least the curve accounts
    /// (`Market::pubkey`). A market whose other accounts are there too ([`Amm::get_accounts_to_update`]) is updated and
    /// can be quoted. One market that fails does not affect the others.
    ///
    /// It derives the program's global addresses once for all markets with the same fee receiver, which
    /// [`Amm::from_keyed_account`] cannot.
    pub fn from_markets<'a>(
        markets: &'a [Market],
        accounts: &'a AccountMap,
    ) -> impl Iterator<Item = Result<Self>> + 'a {
        let mut known: Option<Deployment> = None;
        markets.iter().map(move |Market { pubkey, params, .. }| {
            let account = accounts.get(pubkey).with_context(|| format!("account {pubkey} is missing"))?;
            let keyed = KeyedAccount { key: *pubkey, account: account.clone(), params: params.clone() };
            let deployment = Self::deployment_of(&keyed, known)?;
            known = Some(deployment);
            let mut amm = Self::new(&keyed, &deployment)?;
            if amm.get_accounts_to_update().iter().all(|address| accounts.contains_key(address)) {
                amm.update(accounts)?;
            }
            Ok(amm)
        })
    }
}
