(* What does not hold, so that nobody reads more into the theorems than they say. *)
From Coq Require Import ZArith.
Require Import Rust Curve Spec World.
Open Scope Z_scope.

Definition default := {| reserves_virtual_sol := 30000000000; reserves_virtual_token := 1073000000000000 |}.

(* The buyer of the last tokens can get less than the minimum, because it then binds the price: they pay less too. *)
Example less_than_the_minimum :
  match buy default 100 G u64_max 1000000000000000000 with Ok b => buy_token_out b | _ => 0 end = 793000000000000.
Proof. vm_compute. reflexivity. Qed.

(* A fee is rounded up to a lamport. Of two lamports at 0.01 % that is half. *)
Example half_is_fee :
  match buy default 1 G 2 0 with Ok b => (buy_net b, buy_fee b, buy_token_out b) | _ => (0, 0, 0) end = (1, 1, 35766).
Proof. vm_compute. reflexivity. Qed.
