// Torchwood's reader of logs, and its witness beside a key of its own: others' code, held against the gateway.
//
//	go-torchwood witness FOLDER ORIGIN VKEY ADDRESS
//	go-torchwood read LOG POLICY-FILE PROOF-FILE ENTRY-FILE
package main

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"filippo.io/torchwood"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
	"golang.org/x/mod/sumdb/tlog"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

func main() {
	log.SetFlags(0)
	args := os.Args[1:]
	switch {
	case len(args) == 5 && args[0] == "witness":
		witness(args[1], args[2], args[3], args[4])
	case len(args) == 5 && args[0] == "read":
		read(args[1], args[2], args[3], args[4])
	default:
		log.Fatal("usage: go-torchwood witness FOLDER ORIGIN VKEY ADDRESS | read LOG POLICY-FILE PROOF-FILE ENTRY-FILE")
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// witness runs litewitness, whose program is in the folder, until the standard input ends. Its key lives in an agent of this
// process; the line of standard output is the key that verifies it.
func witness(folder, origin, vkey, address string) {
	const name = "litewitness.example.com"
	_, private, err := ed25519.GenerateKey(rand.Reader)
	must(0, err)
	keys := agent.NewKeyring()
	must(0, keys.Add(agent.AddedKey{PrivateKey: private}))
	socket := filepath.Join(folder, "agent")
	listener := must(net.Listen("unix", socket))
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go agent.ServeAgent(keys, connection)
		}
	}()
	database := filepath.Join(folder, "litewitness.db")
	// As its witnessctl, which has parts that not every registry has, adds a log and a key.
	tree := must(tlog.TreeHash(0, nil))
	connection := must(sqlite.OpenConn(database, sqlite.OpenReadWrite|sqlite.OpenCreate))
	must(0, sqlitex.ExecuteScript(connection, `
		CREATE TABLE log (origin TEXT PRIMARY KEY, tree_size INTEGER NOT NULL, tree_hash TEXT NOT NULL);
		CREATE TABLE key (origin TEXT NOT NULL, key TEXT NOT NULL, FOREIGN KEY(origin) REFERENCES log(origin));`, nil))
	must(0, sqlitex.Execute(connection, "INSERT INTO log VALUES (?, 0, ?)", &sqlitex.ExecOptions{Args: []any{origin, tree.String()}}))
	must(0, sqlitex.Execute(connection, "INSERT INTO key VALUES (?, ?)", &sqlitex.ExecOptions{Args: []any{origin, vkey}}))
	must(0, connection.Close())
	public := must(ssh.NewPublicKey(private.Public()))
	command := exec.Command(filepath.Join(folder, "litewitness"), "-db", database, "-name", name, "-key", ssh.FingerprintSHA256(public),
		"-ssh-agent", socket, "-listen", address)
	command.Stderr = os.Stderr
	must(0, command.Start())
	for range 100 {
		if connection, err := net.Dial("tcp", address); err == nil {
			connection.Close()
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	fmt.Println(must(torchwood.NewCosignatureSigner(name, private)).Verifier())
	io.Copy(io.Discard, os.Stdin)
	command.Process.Kill()
	command.Wait()
}

// read verifies a log by a policy: its checkpoint, every entry by its tiles, and a proof of one of them.
func read(prefix, policyFile, proofFile, entryFile string) {
	policy := must(torchwood.ParsePolicy(must(os.ReadFile(policyFile))))
	fetcher := must(torchwood.NewTileFetcher(prefix))
	ctx := context.Background()
	checkpoint, _, err := torchwood.VerifyCheckpoint(must(fetcher.ReadEndpoint(ctx, "checkpoint")), policy)
	must(0, err)
	client := must(torchwood.NewClient(fetcher))
	count := int64(0)
	for index, entry := range client.AllEntries(ctx, checkpoint.Tree, 0) {
		if index != count || !strings.HasPrefix(string(entry), "epcis-edge/leaf/v1\n") {
			log.Fatalf("entry %d is %q", index, entry)
		}
		count++
	}
	must(0, client.Err())
	if count != checkpoint.N {
		log.Fatalf("%d entries, the checkpoint has %d leaves", count, checkpoint.N)
	}
	entry := must(os.ReadFile(entryFile))
	must(0, torchwood.VerifyProof(policy, tlog.RecordHash(entry), must(os.ReadFile(proofFile))))
	fmt.Printf("verified %d entries of %s, and the proof of one\n", count, checkpoint.Origin)
}
