---------------------------- MODULE TraceLease ----------------------------
(***************************************************************************)
(* Is what a run of the simulator did a behaviour of Lease.tla?  Module    *)
(* Traces, which a test writes, has a sequence of steps for each run, with *)
(* times in microseconds.  In place of Next, a trace says which step       *)
(* happens when, and how long each message took.  All other conditions of  *)
(* Lease.tla remain.  A trace whose last step is possible is accepted.     *)
(***************************************************************************)
EXTENDS Lease, Sequences, TLC, Traces

VARIABLES run, at   \* the number of the trace, and of its next step

Ended == at > Len(Steps[run])
Line == Steps[run][at]

\* TraceLease.cfg puts these in the place of Lease.tla's.
AnyFate == {2}
AnyTurn(m) == TRUE
\* Redis reads its clock in whole milliseconds, and a key is there until the next one after its TTL.
TraceStored == IF 2000 * (key.until \div 2000) + 2000 > now + ahead THEN key ELSE NoKey
TraceAnswers(c) ==
  IF Ended \/ Line.answer = 0 \/ Line.client # c \/ ~Awake(c) THEN {}
  ELSE {m \in wire \ ToServer : m.client = c /\ m.token = 2 * Line.token
                                /\ (m.kind = "freed") = (Line.answer = 2)}

Wait == ~Ended /\ now < 2 * Line.time /\ now' = 2 * Line.time /\ UNCHANGED <<client, key, wire, changed, world, at>>

Lost(m) == wire' = wire \ {m} /\ UNCHANGED <<now, client, key, changed, world>>

Happens ==
  LET c == Line.client
      kinds == IF Line.answer = 0 THEN {Line.kind} ELSE IF Line.kind = "free" THEN {"freed"} ELSE {"taken", "refused"}
      theClient == Step(c) \/ \E m \in TraceAnswers(c) : Answer(m)
  IN CASE Line.step = "ask"   -> Step(c) /\ pc[c] = "rest"
       [] Line.step = "serve" -> \E m \in ToServer :
            /\ m.client = c /\ m.kind = Line.kind /\ m.token = 2 * Line.token
            /\ Serve(m)
            /\ m.kind = "take" => (key' # key) = Line.won
       [] Line.step = "hold"  -> theClient /\ pc'[c] = "holding"
       [] Line.step = "clean" -> theClient /\ pc'[c] = "cleaning"
       [] Line.step = "free"  -> Step(c) /\ pc[c] = "holding"
       [] Line.step = "freed" -> theClient /\ pc[c] \in {"cleaning", "freeing"}
       [] Line.step = "late"  -> \E m \in TraceAnswers(c) : ~Awaited(m) /\ Answer(m)
       [] Line.step = "lost"  -> \E m \in wire : m.client = c /\ m.token = 2 * Line.token /\ m.kind \in kinds /\ Lost(m)
       [] Line.step = "pause" -> Pause(c)
       [] Line.step = "jump"  -> SetClock

TraceNext ==
  /\ \/ Wait
     \/ ~Ended /\ now = 2 * Line.time /\ Happens /\ at' = at + 1
  /\ UNCHANGED run

TraceInit == Init /\ at = 1 /\ run \in 1..Len(Steps)
TraceSpec == TraceInit /\ [][TraceNext]_<<vars, run, at>>

Accepted == Ended => PrintT(<<"accepted", run>>)
=============================================================================
