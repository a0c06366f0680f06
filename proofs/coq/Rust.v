(* What the Rust operations in the programs' arithmetic mean. Integers are Z; every operation says what it does at the
   edge of its type. `Panic` is an outcome like a result or an error, so a theorem can say that it never happens. *)
From Coq Require Import ZArith.
Open Scope Z_scope.

Definition u16_max : Z := 65535.
Definition u64_max : Z := 18446744073709551615.
Definition u128_max : Z := 340282366920938463463374607431768211455.

Example u16_max_is : u16_max = 2 ^ 16 - 1. Proof. reflexivity. Qed.
Example u64_max_is : u64_max = 2 ^ 64 - 1. Proof. reflexivity. Qed.
Example u128_max_is : u128_max = 2 ^ 128 - 1. Proof. reflexivity. Qed.

Inductive res (E T : Type) : Type := Ok (value : T) | Err (error : E) | Panic.
Arguments Ok {E T} value.
Arguments Err {E T} error.
Arguments Panic {E T}.

Definition bind {E T U} (r : res E T) (f : T -> res E U) : res E U :=
  match r with Ok v => f v | Err e => Err e | Panic => Panic end.

Definition ok_or {E T} (o : option T) (e : E) : res E T := match o with Some v => Ok v | None => Err e end.
Definition require {E} (holds : bool) (e : E) : res E unit := if holds then Ok tt else Err e.
Definition and_then {T U} (o : option T) (f : T -> option U) : option U := match o with Some v => f v | None => None end.
Definition unwrap_or {T} (o : option T) (other : T) : T := match o with Some v => v | None => other end.
Definition filter {T} (test : T -> bool) (o : option T) : option T :=
  match o with Some v => if test v then Some v else None | None => None end.

Definition within (max n : Z) : option Z := if n <=? max then Some n else None.
Definition checked_sub a b : option Z := if b <=? a then Some (a - b) else None.

Definition checked_div a b : option Z := if b =? 0 then None else Some (a / b).
Definition div_ceil {E} a b : res E Z := if b =? 0 then Panic else Ok (a / b + if a mod b =? 0 then 0 else 1).
Definition shr {E} width a bits : res E Z := if bits <? width then Ok (a / 2 ^ bits) else Panic.

Definition u16_checked_add a b := within u16_max (a + b).
Definition u64_checked_add a b := within u64_max (a + b).
Definition u128_checked_add a b := within u128_max (a + b).
Definition u16_checked_sub := checked_sub.
Definition u64_checked_sub := checked_sub.
Definition u128_checked_sub := checked_sub.
Definition u16_checked_mul a b := within u16_max (a * b).
Definition u64_checked_mul a b := within u64_max (a * b).
Definition u128_checked_mul a b := within u128_max (a * b).
Definition u16_checked_div := checked_div.
Definition u64_checked_div := checked_div.
Definition u128_checked_div := checked_div.
Definition u16_saturating_add a b := Z.min u16_max (a + b).
Definition u64_saturating_add a b := Z.min u64_max (a + b).
Definition u128_saturating_add a b := Z.min u128_max (a + b).
Definition u16_saturating_mul a b := Z.min u16_max (a * b).
Definition u64_saturating_mul a b := Z.min u64_max (a * b).
Definition u128_saturating_mul a b := Z.min u128_max (a * b).
Definition u16_div_ceil {E} a b : res E Z := div_ceil a b.
Definition u64_div_ceil {E} a b : res E Z := div_ceil a b.
Definition u128_div_ceil {E} a b : res E Z := div_ceil a b.
Definition u64_shr {E} a bits : res E Z := shr 64 a bits.
Definition u128_shr {E} a bits : res E Z := shr 128 a bits.
Definition u64_try_from a := within u64_max a.
