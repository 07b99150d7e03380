---------------------------- MODULE TraceLease ----------------------------
(***************************************************************************)
(* Is what a run of the simulator did a behaviour of Lease.tla?  See       *)
(* TraceSteps.tla.  TraceLease.cfg puts the definitions below that begin   *)
(* with Trace in the place of Lease.tla's.                                 *)
(***************************************************************************)
EXTENDS Lease, TraceSteps

\* Redis reads its clock in whole milliseconds, and a key is there until the next one after its TTL.
TraceStored == IF 2000 * (key.until \div 2000) + 2000 > now + ahead THEN key ELSE NoKey

\* A client takes an answer in the step of which the trace says so.
TraceAnswers(c) ==
  IF Ended \/ ~Line.answer \/ Line.step = "lost" \/ Line.client # c \/ ~Awake(c) THEN {}
  ELSE {m \in wire \ ToServer : m.client = c /\ m.token = Token /\ (m.kind = "freed") = (Line.kind = "free")}

\* Nothing else sees the key that a restarted server has lost, so it may go at once.
TraceRestart ==
  /\ Hit
  /\ back' = now + 2 * Line.amount
  /\ key' = IF Disk THEN key ELSE NoKey
  /\ UNCHANGED <<resume, skew, ahead>>

Drop(m) == wire' = wire \ {m} /\ UNCHANGED <<now, client, key, changed, world>>
Nothing == UNCHANGED <<now, client, key, wire, changed, world>>

Matches(m) ==
  /\ m.client = Line.client /\ m.token = Token
  /\ m.kind \in IF ~Line.answer THEN {Line.kind} ELSE IF Line.kind = "free" THEN {"freed"} ELSE {"taken", "refused"}

Happens ==
  LET c == Line.client
      byClient == Step(c) \/ \E m \in Answers(c) : Answer(m)
  IN CASE Line.kind \in {"read", "write"} -> Nothing  \* of storage
       [] Line.step = "ask"     -> (Step(c) /\ pc[c] = "rest") \/
                                   (pc[c] = "done" /\ Ask(c) /\ UNCHANGED <<now, key, world>>)  \* for its next work
       [] Line.step = "serve"   -> \E m \in ToServer : Matches(m) /\ Serve(m) /\ (m.kind = "take" => (key' # key) = Line.won)
       [] Line.step = "heard"   -> IF Line.kind = "take" THEN Nothing ELSE byClient
       [] Line.step = "hold"    -> byClient /\ pc'[c] = "holding"
       [] Line.step = "clean"   -> byClient /\ pc'[c] = "cleaning"
       [] Line.step = "free"    -> Step(c) /\ pc[c] = "holding"
       [] Line.step = "timeout" -> IF Line.kind = "take" THEN Nothing ELSE Step(c) /\ pc[c] \in {"cleaning", "freeing"}
       [] Line.step = "late"    -> \E m \in Answers(c) : (~Awaited(m) \/ now >= wake[c]) /\ Drop(m)
       [] Line.step = "lost"    -> \E m \in wire : Matches(m) /\ Drop(m)
       [] Line.step = "pause"   -> Pause(c) /\ resume'[c] = now + 2 * Line.amount
       [] Line.step = "restart" -> Restart
       [] Line.step = "jump"    -> SetClock /\ ahead' = ahead + 2 * Line.amount
       [] Line.step = "step"    -> SetClock /\ skew'[c] = skew[c] + 2 * Line.amount

TraceNext ==
  /\ ~Ended
  /\ \/ now < Due /\ now' = Due /\ UNCHANGED <<client, key, wire, changed, world, at>>
     \/ now = Due /\ Happens /\ at' = at + 1
  /\ UNCHANGED run

TraceInit == Init /\ Begin
TraceSpec == TraceInit /\ [][TraceNext]_<<vars, run, at>>
=============================================================================
