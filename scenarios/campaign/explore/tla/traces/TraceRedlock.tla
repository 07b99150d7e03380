--------------------------- MODULE TraceRedlock ---------------------------
(***************************************************************************)
(* Is what a run of the simulator did a behaviour of Redlock.tla?  See     *)
(* TraceSteps.tla, and TraceLease.tla for the definitions in common.       *)
(* Redlock.tla asks all servers at once.  A run may ask them one by one:   *)
(* then a message is under way from when the client began.                 *)
(***************************************************************************)
EXTENDS Redlock, TraceSteps

TraceStored(s) == IF 2000 * (keys[s].until \div 2000) + 2000 > now + ahead[s] THEN keys[s] ELSE NoKey

Matches(m) ==
  /\ m.client = Line.client /\ m.server = Line.server /\ m.token = Token
  /\ m.kind \in IF ~Line.answer THEN {Line.kind} ELSE IF Line.kind = "free" THEN {"freed"} ELSE {"taken", "refused"}

TraceAnswers(c) ==
  IF Ended \/ Line.step \notin {"heard", "late"} \/ Line.client # c \/ ~Awake(c) THEN {}
  ELSE {m \in wire : Matches(m)}

TraceRestart(s) ==
  /\ Hit
  /\ back' = [back EXCEPT ![s] = now + 2 * Line.amount]
  /\ keys' = IF Disk THEN keys ELSE [keys EXCEPT ![s] = NoKey]
  /\ UNCHANGED <<resume, skew, ahead>>

Drop(m) == wire' = wire \ {m} /\ UNCHANGED <<now, client, keys, changed, world>>
Nothing == UNCHANGED <<now, client, keys, wire, changed, world>>

Happens ==
  LET c == Line.client
      s == Line.server
  IN CASE Line.kind \in {"read", "write"} -> Nothing  \* of storage
       [] Line.step = "ask"     -> (Step(c) /\ pc[c] = "rest") \/
                                   (pc[c] = "done" /\ Ask(c) /\ UNCHANGED <<now, keys, world>>)  \* for its next work
       [] Line.step = "serve"   -> \E m \in ToServers : Matches(m) /\ Serve(m) /\ (m.kind = "take" => (keys' # keys) = Line.won)
       [] Line.step = "heard"   -> Hear(c)
       [] Line.step = "hold"    -> Step(c) /\ pc[c] = "asking" /\ pc'[c] = "holding"
       [] Line.step = "clean"   -> Step(c) /\ pc[c] = "asking" /\ pc'[c] = "cleaning"
       [] Line.step = "free"    -> Step(c) /\ pc[c] = "holding"
       [] Line.step = "timeout" -> Nothing
       [] Line.step = "late"    -> \E m \in Answers(c) : (~Awaited(m) \/ now >= wake[c]) /\ Drop(m)
       [] Line.step = "lost"    -> \E m \in wire : Matches(m) /\ Drop(m)
       [] Line.step = "pause"   -> Pause(c) /\ resume'[c] = now + 2 * Line.amount
       [] Line.step = "restart" -> Restart(s)
       [] Line.step = "jump"    -> SetServer(s) /\ ahead'[s] = ahead[s] + 2 * Line.amount
       [] Line.step = "step"    -> SetClient(c) /\ skew'[c] = skew[c] + 2 * Line.amount

\* The end of a release is no line of a trace.
Unseen == \E c \in Clients : Step(c) /\ pc[c] \in {"cleaning", "freeing"}

TraceNext ==
  /\ ~Ended
  /\ \/ now < Due /\ now' = Due /\ UNCHANGED <<client, keys, wire, changed, world, at>>
     \/ now = Due /\ Happens /\ at' = at + 1
     \/ Unseen /\ UNCHANGED at
  /\ UNCHANGED run

TraceInit == Init /\ Begin
TraceSpec == TraceInit /\ [][TraceNext]_<<vars, run, at>>
=============================================================================
