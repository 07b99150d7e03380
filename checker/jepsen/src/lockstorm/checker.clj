(ns lockstorm.checker
  "A Jepsen checker that has lockstorm check judge a history of locks."
  (:require [clojure.edn :as edn]
            [clojure.java.shell :as shell]
            [clojure.string :as str]
            [jepsen.checker :as checker]))

(defn- line
  "An op as a line of EDN. What is an object, such as an exception, is a string."
  [op]
  (-> (into {} (select-keys op [:index :time :type :process :f :value]))
      (cond-> (:error op) (assoc :error (pr-str (:error op))))
      pr-str))

(defn- parse
  "JSON, as lockstorm prints it, is EDN except for its colons."
  [json]
  (edn/read-string (str/replace json #"(?m)^(\s*\"\w+\"):" "$1")))

(defn lock
  "Options: :models, such as [\"mutex\" \"lease\"]; :args, more arguments, such as
  [\"--clients\" \"5\"]; :program, where lockstorm is."
  [{:keys [models args program] :or {models ["mutex"] program "lockstorm"}}]
  (reify checker/Checker
    (check [_ _test history _opts]
      (let [{:keys [exit out err]}
            (apply shell/sh program "check" "-" "--input" "edn" "--format" "json" "--model" (str/join "," models)
                   (concat args [:in (str/join "\n" (map line history))]))]
        (if-some [valid ({0 true, 1 false, 2 :unknown} exit)]
          {:valid? valid, :models (get (parse out) "models"), :notes err}
          (throw (ex-info "lockstorm can't read this history" {:exit exit, :err err})))))))
