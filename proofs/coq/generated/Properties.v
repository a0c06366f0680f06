(* Generated from programs/bonding-curve/src/state/properties.rs by proofs/translator. Do not edit. *)
From Coq Require Import ZArith Bool.
Require Import Rust.
Require Curve.
Open Scope bool_scope.
Open Scope Z_scope.

Definition GRADUATION_VIRTUAL_TOKEN : Z := 280000000000000.
Definition MAX_PLATFORM_FEE_BPS : Z := 1000.
Definition TOKEN_SUPPLY : Z := 1000000000000000.
Inductive BondingCurveError := BondingCurveDoesNotMatchMint | TradingClosed | NotReadyToMigrate | SlippageError | WrongFeeReceiver | LogicalError.
Record Properties := { properties_initialized : Z; properties_bump : Z; properties_initial_virtual_sol : Z; properties_initial_virtual_token : Z; properties_platform_fee_bps : Z }.
Definition properties_INITIALIZED : Z := 1.

Section AnyValueOf.
Variable PROPERTIES_BUMP : Z.

Definition properties_invariant (self : Properties) : res BondingCurveError (unit) :=
  let most_virtual_token := (u64_saturating_add TOKEN_SUPPLY GRADUATION_VIRTUAL_TOKEN) in
  let holds := ((((((((properties_initialized self) =? properties_INITIALIZED) && ((properties_bump self) =? PROPERTIES_BUMP)) && ((properties_initial_virtual_sol self) >? 0)) && ((properties_initial_virtual_token self) >? TOKEN_SUPPLY)) && ((properties_initial_virtual_token self) <? most_virtual_token)) && ((Curve.product (properties_initial_virtual_sol self) (properties_initial_virtual_token self)) <=? (Curve.product GRADUATION_VIRTUAL_TOKEN u64_max))) && ((properties_platform_fee_bps self) <=? MAX_PLATFORM_FEE_BPS)) in
  bind (require holds LogicalError) (fun _ =>
  (Ok tt)).

End AnyValueOf.
