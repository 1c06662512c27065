// Verifies COSE receipts with github.com/veraison/go-cose, and computes their roots by RFC 9162, 2.1.3.2.
// What it knows of a receipt is in RFC 9942 and RFC 9052; the vectors come as a file.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/fxamacker/cbor/v2"
	"github.com/veraison/go-cose"
	"golang.org/x/mod/sumdb/tlog"
)

type vectors struct {
	Key       string
	PublicKey string
	Receipts  []struct{ About, Leaf, Root, Receipt string }
}

type inclusion struct {
	_     struct{} `cbor:",toarray"`
	Size  uint64
	Index uint64
	Path  [][]byte
}

func node(left, right []byte) []byte {
	hash := sha256.New()
	hash.Write([]byte{1})
	hash.Write(left)
	hash.Write(right)
	return hash.Sum(nil)
}

// The algorithm of RFC 9162, 2.1.3.2.
func rootOf(leaf []byte, proof inclusion) ([]byte, error) {
	if proof.Index >= proof.Size {
		return nil, errors.New("the index is not below the size")
	}
	fn, sn, found := proof.Index, proof.Size-1, leaf
	for _, hash := range proof.Path {
		if sn == 0 {
			return nil, errors.New("too many hashes")
		}
		if fn&1 == 1 || fn == sn {
			found = node(hash, found)
			for fn&1 == 0 && fn != 0 {
				fn, sn = fn>>1, sn>>1
			}
		} else {
			found = node(found, hash)
		}
		fn, sn = fn>>1, sn>>1
	}
	if sn != 0 {
		return nil, errors.New("too few hashes")
	}
	return found, nil
}

// What both header maps of a library of another make have at a label.
func at(header map[any]any, label any) (any, error) {
	value, ok := header[label]
	if !ok {
		return nil, fmt.Errorf("no header %v", label)
	}
	return value, nil
}

func proofOf(message *cose.Sign1Message) (inclusion, error) {
	var proof inclusion
	value, err := at(message.Headers.Unprotected, int64(396))
	if err != nil {
		return proof, err
	}
	proofs, ok := value.(map[any]any)
	if !ok {
		return proof, errors.New("396 is no map")
	}
	list, ok := proofs[int64(-1)].([]any)
	if !ok || len(list) != 1 {
		return proof, errors.New("not one proof of inclusion")
	}
	encoded, ok := list[0].([]byte)
	if !ok {
		return proof, errors.New("the proof is no byte string")
	}
	return proof, cbor.Unmarshal(encoded, &proof)
}

// Verifies one receipt of a leaf; the root is computed, and nothing is believed.
func verify(receipt, leaf []byte, public ed25519.PublicKey, origin string) ([]byte, inclusion, error) {
	var message cose.Sign1Message
	if err := message.UnmarshalCBOR(receipt); err != nil {
		return nil, inclusion{}, err
	}
	structure, err := at(message.Headers.Protected, int64(395))
	if err != nil || structure != int64(1) {
		return nil, inclusion{}, fmt.Errorf("the structure is %v", structure)
	}
	claims, _ := message.Headers.Protected[int64(15)].(map[any]any)
	if claims[int64(1)] != origin {
		return nil, inclusion{}, fmt.Errorf("the issuer is %v", claims[int64(1)])
	}
	if message.Payload != nil {
		return nil, inclusion{}, errors.New("the payload is not detached")
	}
	proof, err := proofOf(&message)
	if err != nil {
		return nil, proof, err
	}
	root, err := rootOf(leaf, proof)
	if err != nil {
		return nil, proof, err
	}
	// Go's own reader of transparency logs agrees.
	var path tlog.RecordProof
	for _, hash := range proof.Path {
		path = append(path, tlog.Hash(hash))
	}
	err = tlog.CheckRecord(path, int64(proof.Size), tlog.Hash(root), int64(proof.Index), tlog.Hash(leaf))
	if err != nil {
		return nil, proof, err
	}
	verifier, err := cose.NewVerifier(cose.AlgorithmEdDSA, public)
	if err != nil {
		return nil, proof, err
	}
	message.Payload = root
	return root, proof, message.Verify(nil, verifier)
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func bytesOf(text string) []byte {
	decoded, err := hex.DecodeString(text)
	fail(err)
	return decoded
}

func main() {
	file, err := os.ReadFile(os.Args[1])
	fail(err)
	var known vectors
	fail(json.Unmarshal(file, &known))
	public := ed25519.PublicKey(bytesOf(known.PublicKey))
	origin, _, _ := bytes.Cut([]byte(known.Key), []byte("+"))
	refused := 0
	for _, vector := range known.Receipts {
		receipt, leaf := bytesOf(vector.Receipt), bytesOf(vector.Leaf)
		root, proof, err := verify(receipt, leaf, public, string(origin))
		if err != nil {
			fail(fmt.Errorf("%s: %w", vector.About, err))
		}
		if !bytes.Equal(root, bytesOf(vector.Root)) {
			fail(fmt.Errorf("%s: the root is %x", vector.About, root))
		}
		// Another leaf, another path, another signature: each gives a root that was not signed.
		leaf[0] ^= 1
		if _, _, err := verify(receipt, leaf, public, string(origin)); err == nil {
			fail(fmt.Errorf("%s: another leaf verifies", vector.About))
		}
		leaf[0] ^= 1
		places := []int{len(receipt) - 1, len(receipt) - 64}
		for _, hash := range proof.Path {
			places = append(places, bytes.Index(receipt, hash))
		}
		for _, place := range places {
			receipt[place] ^= 1
			if _, _, err := verify(receipt, leaf, public, string(origin)); err == nil {
				fail(fmt.Errorf("%s: verifies with another byte %d", vector.About, place))
			}
			receipt[place] ^= 1
			refused++
		}
		fmt.Printf("verified %s: leaf %d of %d\n", vector.About, proof.Index, proof.Size)
	}
	fmt.Printf("verified %d receipts, refused %d changed ones\n", len(known.Receipts), refused)
}
