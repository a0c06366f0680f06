(* What holds of any sequence of trades, by anyone, with donations and burns between them and a fee that changes. threat: rounding *)
From Coq Require Import ZArith Lia Bool List.
Require Import Rust Rounding Curve Spec Helpers Exact Trades.
Open Scope Z_scope.

(* `Accepted.v` proves that these are the program's constants, and that the program accepts precisely these settings. *)
Definition supply : Z := 1000000000000000.
Definition G : Z := 280000000000000.
Definition most_fee : Z := 1000.

Definition settings (sol0 tok0 : Z) : Prop :=
  0 < sol0 <= u64_max /\ supply < tok0 < supply + G /\ sol0 * tok0 <= G * u64_max.
Definition fee_allowed (bps : Z) : Prop := 0 <= bps <= most_fee.

(* One curve. `lamports` are those above rent exemption, `outside` the tokens that are not in the vault. *)
Record world := {
  reserves : Reserves; lamports : Z; vault : Z; outside : Z;
  paid : Z; received : Z; fees : Z; trading : bool }.

Definition start (sol0 tok0 : Z) : world := {|
  reserves := {| reserves_virtual_sol := sol0; reserves_virtual_token := tok0 |};
  lamports := 0; vault := supply; outside := 0; paid := 0; received := 0; fees := 0; trading := true |}.

Inductive step : world -> world -> Prop :=
| Bought w bps sol min b : trading w = true -> fee_allowed bps -> u64 sol -> u64 min ->
    buy (reserves w) bps G sol min = Ok b ->
    step w {| reserves := buy_reserves b; lamports := lamports w + buy_net b;
              vault := vault w - buy_token_out b; outside := outside w + buy_token_out b;
              paid := paid w + buy_net b + buy_fee b; received := received w; fees := fees w + buy_fee b;
              trading := negb (buy_graduates b) |}
| Sold w bps t min s : trading w = true -> fee_allowed bps -> t <= outside w -> u64 t -> u64 min ->
    sell (reserves w) bps t min = Ok s ->
    step w {| reserves := sell_reserves s; lamports := lamports w - sell_gross s;
              vault := vault w + t; outside := outside w - t;
              paid := paid w; received := received w + sell_sol_out s; fees := fees w + sell_fee s;
              trading := true |}
| LamportsGiven w n : 0 <= n ->
    step w {| reserves := reserves w; lamports := lamports w + n; vault := vault w; outside := outside w;
              paid := paid w; received := received w; fees := fees w; trading := trading w |}
| TokensGiven w n : 0 <= n <= outside w ->
    step w {| reserves := reserves w; lamports := lamports w; vault := vault w + n; outside := outside w - n;
              paid := paid w; received := received w; fees := fees w; trading := trading w |}
| TokensBurned w n : 0 <= n <= outside w ->
    step w {| reserves := reserves w; lamports := lamports w; vault := vault w; outside := outside w - n;
              paid := paid w; received := received w; fees := fees w; trading := trading w |}.

Inductive reachable (sol0 tok0 : Z) : world -> Prop :=
| Start : reachable sol0 tok0 (start sol0 tok0)
| Step w w' : reachable sol0 tok0 w -> step w w' -> reachable sol0 tok0 w'.

Record sound (sol0 tok0 : Z) (w : world) : Prop := {
  (* 1 *) product_grew : sol0 * tok0 <= k (reserves w);
  (* 3 *) backed : vS (reserves w) - sol0 <= lamports w;
          never_below : sol0 <= vS (reserves w);
  (* 4 *) supply_kept : vault w + outside w <= supply;
          outside_some : 0 <= outside w;
          outside_sold : outside w <= tok0 - vT (reserves w);
          vault_owes : vT (reserves w) - G < vault w;
  (* 7 *) trading_is : trading w = negb (vT (reserves w) =? G);
          fits : G <= vT (reserves w) <= tok0 /\ vS (reserves w) <= u64_max;
  (* 2 *) nobody_gains : received w + fees w + (vS (reserves w) - sol0) = paid w;
          fees_some : 0 <= fees w }.

Lemma sound_state sol0 tok0 w bps : settings sol0 tok0 -> sound sol0 tok0 w -> fee_allowed bps -> state (reserves w) bps G.
Proof.
  intros (S & T & _) [] F. unfold state, fee_allowed, most_fee, supply, G in *. bounds. repeat split; lia.
Qed.

Lemma sound_start sol0 tok0 : settings sol0 tok0 -> sound sol0 tok0 (start sol0 tok0).
Proof.
  intros (S & T & _). constructor; cbn -[Z.mul Z.add Z.sub]; unfold k, supply, G in *; cbn -[Z.mul Z.add Z.sub]; lia.
Qed.

(* With at least the first product and no more tokens than at first, there is at least as much SOL as at first. *)
Lemma sol_back sol0 tok0 s t : 0 < sol0 -> 0 < t <= tok0 -> sol0 * tok0 <= s * t -> sol0 <= s.
Proof. nia. Qed.

Theorem sound_step sol0 tok0 w w' : settings sol0 tok0 -> sound sol0 tok0 w -> step w w' -> sound sol0 tok0 w'.
Proof.
  intros P I X. destruct X.
  - pose proof (sound_state _ _ _ bps P I H0) as W.
    pose proof (buy_k _ _ _ _ _ _ W H1 H2 H3) as K. destruct (buy_facts _ _ _ _ _ _ W H1 H2 H3). destruct I, P as (S & T & _).
    assert (sol0 <= vS (buy_reserves b)) by (unfold supply, G in *; lia).
    constructor; cbn -[Z.mul Z.add Z.sub]; unfold supply, G in *; try lia.
    now rewrite bought_end.
  - pose proof (sound_state _ _ _ bps P I H0) as W.
    pose proof (sell_k _ _ _ _ _ _ W H2 H3 H4) as K. destruct (sell_facts _ _ G _ _ _ W H2 H3 H4). destruct I, P as (S & T & _).
    unfold u64 in *.
    assert (sol0 <= vS (sell_reserves s)).
    { apply (sol_back sol0 tok0 _ (vT (sell_reserves s))); [lia | unfold G, supply in *; lia |]. unfold k in *. lia. }
    assert (0 <= sell_gross s) by lia.
    assert (vT (reserves w) <> G).
    { intros X. rewrite X, Z.eqb_refl in trading_is0. cbn in trading_is0. congruence. }
    constructor; cbn -[Z.mul Z.add Z.sub]; unfold supply, G in *; lia.
  - destruct I. constructor; cbn; try assumption; lia.
  - destruct I. constructor; cbn; try assumption; lia.
  - destruct I. constructor; cbn; try assumption; lia.
Qed.

Theorem always_sound sol0 tok0 w : settings sol0 tok0 -> reachable sol0 tok0 w -> sound sol0 tok0 w.
Proof. intros P R. induction R; [now apply sound_start | now apply (sound_step _ _ w)]. Qed.

(* Solvency: every holder can sell any part of the tokens, in any split. The curve has the lamports for it. Only a payout of
   nothing is refused. *)
Theorem solvent sol0 tok0 w bps t : settings sol0 tok0 -> reachable sol0 tok0 w -> trading w = true -> fee_allowed bps ->
  0 < t <= outside w ->
  gross (reserves w) t <= vS (reserves w) - sol0 <= lamports w /\
  match sell (reserves w) bps t 0 with
  | Ok s => sell_gross s = gross (reserves w) t
  | Err e => e = Logical /\ gross (reserves w) t = cdiv (gross (reserves w) t * bps) 10000
  | Panic => False
  end.
Proof.
  intros P R O F T. pose proof (always_sound _ _ _ P R) as I. pose proof (sound_state _ _ _ bps P I F) as W.
  destruct I, P as (S & Q & _). unfold fee_allowed, most_fee in F.
  assert (U : u64 t) by (unfold supply, G in *; bounds; lia).
  assert (Z0 : u64 0) by (bounds; lia).
  assert (Y : gross (reserves w) t <= vS (reserves w) - sol0).
  { unfold gross. apply Z.lt_succ_r, Z.div_lt_upper_bound; [unfold G in *; lia|].
    unfold k in *. unfold G, supply in *. nia. }
  split; [lia|].
  destruct (sell (reserves w) bps t 0) eqn:E.
  - now destruct (sell_facts _ _ G _ _ _ W U Z0 E).
  - pose proof (sell_refused_only _ _ G _ _ _ W U Z0 E) as X. cbn zeta in X.
    assert (0 <= gross (reserves w) t) by (apply floor_nonneg; unfold G in *; nia).
    assert (cdiv (gross (reserves w) t * bps) 10000 <= gross (reserves w) t) by (apply ceil_le; nia).
    destruct error; [lia|]. split; [reflexivity|]. unfold supply, G in *. bounds. lia.
  - now destruct (no_panic _ _ G _ _ W U Z0).
Qed.

(* Invariant 2: traders begin without tokens, and nobody else trades. In any number of trades of any sizes and at any fees,
   they get back at most what they paid, less the fees. *)
Inductive alone (r0 : Reserves) : Reserves -> Z -> Z -> Z -> Z -> Prop :=
| Alone : alone r0 r0 0 0 0 0
| AloneBuys r held paid got fees bps sol min b : alone r0 r held paid got fees -> fee_allowed bps -> u64 sol -> u64 min ->
    buy r bps G sol min = Ok b ->
    alone r0 (buy_reserves b) (held + buy_token_out b) (paid + buy_net b + buy_fee b) got (fees + buy_fee b)
| AloneSells r held paid got fees bps t min s : alone r0 r held paid got fees -> fee_allowed bps -> u64 t -> u64 min ->
    t <= held -> sell r bps t min = Ok s ->
    alone r0 (sell_reserves s) (held - t) paid (got + sell_sol_out s) (fees + sell_fee s).

Theorem no_profit r0 r held paid got fees : 0 < vS r0 <= u64_max -> G <= vT r0 <= u64_max ->
  alone r0 r held paid got fees -> got + fees <= paid /\ 0 <= fees.
Proof.
  intros S T A.
  enough ((forall bps, fee_allowed bps -> state r bps G) /\ k r0 <= k r /\ 0 <= held /\ held = vT r0 - vT r /\
          paid - got - fees = vS r - vS r0 /\ 0 <= fees) as (W & K & H & H' & P & F).
  { split; [|assumption]. unfold k in K. enough (vS r0 <= vS r) by lia.
    destruct (W 0 ltac:(unfold fee_allowed, most_fee; lia)) as (? & ? & ?).
    apply (sol_back (vS r0) (vT r0) _ (vT r)); lia. }
  induction A.
  - split; [|lia]. intros bps F. unfold state, fee_allowed, most_fee, G in *. lia.
  - destruct IHA as (W & K & N & D & P & F). specialize (W bps H) as Wb.
    pose proof (buy_k _ _ _ _ _ _ Wb H0 H1 H2). destruct (buy_facts _ _ _ _ _ _ Wb H0 H1 H2).
    split; [|lia]. intros bps' F'. apply (buy_state _ _ _ _ _ _ bps' Wb H0 H1 ltac:(unfold fee_allowed, most_fee in *; lia) H2).
  - destruct IHA as (W & K & N & D & P & F). specialize (W bps H) as Wb.
    pose proof (sell_k _ _ G _ _ _ Wb H0 H1 H3). destruct (sell_facts _ _ G _ _ _ Wb H0 H1 H3).
    split; [|lia]. intros bps' F'. apply (sell_state _ _ _ _ _ _ bps' Wb H0 H1 ltac:(unfold fee_allowed, most_fee in *; lia) H3).
Qed.

(* The same of all traders of a curve together, with gifts, burns and changed fees between their trades: one can profit only
   from another. *)
Theorem nobody_profits_together sol0 tok0 w : settings sol0 tok0 -> reachable sol0 tok0 w ->
  received w + fees w <= paid w /\ 0 <= fees w.
Proof. intros P R. destruct (always_sound _ _ _ P R). lia. Qed.
