use anchor_lang::prelude::*;

use crate::{
    constants::{ADMIN, PROPERTIES_ADDRESS, PROPERTIES_BUMP, SETTINGS_SEED},
    error::BondingCurveError,
    pda,
    state::Properties,
};

#[derive(Accounts)]
pub struct AdminSetProperties<'info> {
    /// The admin this program was built with. Not writable: it pays the rent of the first call only where it is
    /// the transaction's fee payer too.
    #[account(address = ADMIN)]
    pub admin_account: Signer<'info>,
    /// CHECK: the address is fixed; created here on the first call, so not yet a typed account.
    #[account(mut, address = PROPERTIES_ADDRESS)]
    pub properties_account: UncheckedAccount<'info>,
    pub system_program: Program<'info, System>,
    pub rent_sysvar: Sysvar<'info, Rent>,
}

impl AdminSetProperties<'_> {
    pub fn run(&mut self, properties: Properties) -> Result<()> {
        require!(properties.bump == PROPERTIES_BUMP, BondingCurveError::LogicalError);
        properties.invariant()?;
        // The only creator of an account of this program at this address is this instruction.
        if self.properties_account.owner != &crate::ID {
            pda::create_account(
                &self.admin_account,
                &self.properties_account,
                Properties::SIZE,
                &crate::ID,
                &[SETTINGS_SEED, &[properties.bump]],
            )?;
        }
        properties.try_serialize(&mut &mut self.properties_account.try_borrow_mut_data()?[..])
    }
}
