; clojure -cp src:test ... test/checker_test.clj PROGRAM: the checker gives each history Jepsen's verdict.
(require '[clojure.edn :as edn] '[clojure.string :as str] '[jepsen.checker :as checker] '[lockstorm.checker :as lockstorm])

(defn judge [file & {:as opts}]
  (let [ops (map edn/read-string (remove #(str/starts-with? % ";") (str/split-lines (slurp (str "histories/" file ".edn")))))
        exception (assoc (first ops) :process :nemesis, :type :info, :f :kill, :error (Exception. "no such host"))]
    (checker/check (lockstorm/lock (assoc opts :program (first *command-line-args*))) {} (concat ops [(dissoc exception :index)]) {})))

(defn must [what is] (when-not is (throw (AssertionError. what))))

(must "in-turn is valid" (true? (:valid? (judge "in-turn"))))
(let [{:keys [valid? models]} (judge "two-holders")]
  (must "two-holders is not valid" (false? valid?))
  (must "its reason is kept" (str/starts-with? (get-in models [0 "reason"]) "Two holders at once: process 0")))
(must "two models are judged" (= ["violated" "holds"] (map #(get % "verdict") (:models (judge "expired" :models ["mutex" "lease"])))))
(must "an option is passed on" (true? (:valid? (judge "next-process" :args ["--clients" "2"]))))
(must "a search that ends early is unknown" (= :unknown (:valid? (judge "too-short" :models ["lease-timed"] :args ["--least" "10s" "--steps" "1"]))))
(must "what can't be read is no verdict" (try (judge "in-turn" :models ["mutx"]) false (catch Exception _ true)))
(println "six checks passed")
(shutdown-agents)
