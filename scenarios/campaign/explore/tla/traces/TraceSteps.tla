---------------------------- MODULE TraceSteps ----------------------------
(***************************************************************************)
(* Is what a run of the simulator did a behaviour of a specification?      *)
(* Module Traces, which `lockstorm run SCENARIO --format tla` prints, has  *)
(* the constants of a scenario and the steps of runs, with times in        *)
(* microseconds.  In place of Next, a trace says which step happens when,  *)
(* and how long each message took.  All other conditions of the            *)
(* specification remain.                                                   *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets, TLC, Traces

VARIABLES run, at   \* the number of the trace, and of its next step

Ended == at > Len(Steps[run])
Line  == Steps[run][at]
Due   == 2 * Line.time     \* an instant is half a microsecond
Token == 2 * Line.token

Range(sequence) == LET s == sequence IN {s[i] : i \in DOMAIN s}

\* The amounts of one kind of fault, in all runs.
Amounts(step) ==
  UNION {{s.amount : s \in {u \in Range(t) : u.step = step}} : t \in Range(Steps)}

Pausing     == Amounts("pause")
Restarting  == Amounts("restart")
Setting     == Amounts("jump")
SettingBack == {-d : d \in Amounts("step")}

\* In place of a specification's choices: a trace says when each message comes, and which is first.
AnyFate == {2}
AnyTurn(m) == TRUE

Begin == at = 1 /\ run \in DOMAIN Steps /\ TLCSet(run, 0)

\* How far TLC got in each run. A trace whose last step is possible is accepted.
Reached == TLCSet(run, IF at > TLCGet(run) THEN at ELSE TLCGet(run))
Said == \A r \in DOMAIN Steps :
  PrintT(IF TLCGet(r) > Len(Steps[r]) THEN <<"run", r, "accepted">>
         ELSE <<"run", r, "refused at step", TLCGet(r), Steps[r][TLCGet(r)].step>>)
=============================================================================
