module github.com/lockstorm/lockstorm/scenarios/forecast

go 1.26.0

replace github.com/lockstorm/lockstorm => ../..

require (
	github.com/goccy/go-yaml v1.19.2
	github.com/invopop/jsonschema v0.13.0
	github.com/lockstorm/lockstorm v0.0.0
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.2
	gonum.org/v1/gonum v0.16.0
	pgregory.net/rapid v1.3.0
)

require (
	github.com/alicebob/miniredis/v2 v2.40.0 // indirect
	github.com/anishathalye/porcupine v1.3.1 // indirect
	github.com/bahlo/generic-list-go v0.2.0 // indirect
	github.com/buger/jsonparser v1.1.1 // indirect
	github.com/mailru/easyjson v0.7.7 // indirect
	github.com/wk8/go-ordered-map/v2 v2.1.8 // indirect
	github.com/yuin/gopher-lua v1.1.1 // indirect
	go.etcd.io/raft/v3 v3.7.0 // indirect
	golang.org/x/text v0.34.0 // indirect
	google.golang.org/protobuf v1.36.11 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)
