module epcis-edge/tests/peers/go-cose

go 1.23.0

require (
	github.com/fxamacker/cbor/v2 v2.5.0
	github.com/veraison/go-cose v1.3.0
	golang.org/x/mod v0.24.0
)

require github.com/x448/float16 v0.8.4 // indirect
