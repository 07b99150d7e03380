(ns jepsen.checker
  "What the checker needs of Jepsen, for its test alone.")

(defprotocol Checker
  (check [checker test history opts]))
