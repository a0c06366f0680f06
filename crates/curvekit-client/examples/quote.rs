//! `cargo run --example quote`: what one SOL buys on a fresh curve, and the instruction that buys it.

use curvekit_client::{
    accounts::{Properties, TokenOwnerData},
    addresses::{associated_token_address, CurveAddresses},
    deployment::Deployment,
    instructions::{buy_token, BuyToken},
    quotes::{quote_buy, CurveState},
    Pubkey,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A bot reads these from its RPC node: the data of `token.curve.address` and of `deployment.properties.address`.
    let mut curve = TokenOwnerData::DISCRIMINATOR.to_vec();
    curve.push(1);
    curve.extend(30_000_000_000u64.to_le_bytes());
    curve.extend(1_073_000_000_000_000u64.to_le_bytes());
    curve.extend([0; 4]);
    let properties = Properties {
        initialized: 1,
        bump: 255,
        initial_virtual_sol: 30_000_000_000,
        initial_virtual_token: 1_073_000_000_000_000,
        platform_fee_bps: 100,
    };

    let curve = CurveState::new(&TokenOwnerData::decode(&curve)?, &properties);
    let quote = quote_buy(&curve, 1_000_000_000, 100)?; // 1 SOL, at most 1 % less than quoted
    println!("1 SOL buys {} units, the fee is {} lamports", quote.token_out, quote.fee);

    let deployment = Deployment::DEVELOPMENT;
    let (mint, payer) = (Pubkey::new_from_array([1; 32]), Pubkey::new_from_array([2; 32]));
    let token = CurveAddresses::derive(&mint, &deployment);
    let buy = BuyToken {
        payer,
        user_token_account: associated_token_address(&payer, &mint).address,
        sol_to_spend: quote.sol_to_spend,
        min_token_to_receive: quote.min_token_to_receive,
    };
    println!("{:#?}", buy_token(&deployment, &token, &buy)?);
    Ok(())
}
