package checker

func shrink(h History, m *Model, r Result, effort int) Result { return r }
