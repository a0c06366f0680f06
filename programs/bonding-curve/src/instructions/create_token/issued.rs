use curvekit_interface::token::{Mint, TokenAccount};

use crate::constants::TOKEN_SUPPLY;

/// Whether the vault holds the whole supply, there is no more of it, and nobody can make more.
pub(super) fn is_issued(mint: &[u8], vault: &[u8]) -> bool {
    let (Ok(mint), Ok(vault)) =
        (bytemuck::try_from_bytes::<Mint>(mint), bytemuck::try_from_bytes::<TokenAccount>(vault))
    else {
        return false;
    };
    mint.supply() == TOKEN_SUPPLY && vault.amount() == TOKEN_SUPPLY && mint.has_no_authority()
}

#[cfg(test)]
mod tests {
    use anchor_lang::{prelude::Pubkey, solana_program::program_pack::Pack};
    use anchor_spl::token::spl_token::state::{Account, Mint};

    use super::*;

    fn issued() -> (Mint, Account) {
        let mint = Mint { supply: TOKEN_SUPPLY, is_initialized: true, ..Mint::default() };
        (mint, Account { amount: TOKEN_SUPPLY, ..Account::default() })
    }

    fn passes((mint, vault): (Mint, Account)) -> bool {
        let (mut mint_bytes, mut vault_bytes) = ([0; Mint::LEN], [0; Account::LEN]);
        mint.pack_into_slice(&mut mint_bytes);
        vault.pack_into_slice(&mut vault_bytes);
        is_issued(&mint_bytes, &vault_bytes)
    }

    #[test]
    fn given_the_whole_supply_in_the_vault_and_no_authority_when_asked_then_it_is_issued() {
        assert!(passes(issued()));
    }

    #[test]
    fn given_one_unit_more_or_less_when_asked_then_it_is_not_issued() {
        let (mint, vault) = issued();
        for wrong in [TOKEN_SUPPLY - 1, TOKEN_SUPPLY + 1, 0, u64::MAX] {
            assert!(!passes((Mint { supply: wrong, ..mint }, vault)));
            assert!(!passes((mint, Account { amount: wrong, ..vault })));
            assert!(!passes((Mint { supply: wrong, ..mint }, Account { amount: wrong, ..vault })));
        }
    }

    #[test]
    fn given_an_authority_when_asked_then_it_is_not_issued() {
        let (mint, vault) = issued();
        let authority = Some(Pubkey::new_unique()).into();
        assert!(!passes((Mint { mint_authority: authority, ..mint }, vault)));
        assert!(!passes((Mint { freeze_authority: authority, ..mint }, vault)));
    }

    #[test]
    fn given_other_sizes_when_asked_then_it_is_not_issued() {
        assert!(!is_issued(&[], &[]));
        assert!(!is_issued(&[0; Mint::LEN], &[0; Mint::LEN]));
    }
}
