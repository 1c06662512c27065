// Reads a log with golang.org/x/mod/sumdb: the head by its note, leaves and their proofs by tiles over HTTP.
package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type tiles struct{ prefix string }

func get(url string) ([]byte, error) {
	response, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != 200 {
		err = fmt.Errorf("%s: %s %s", url, response.Status, body)
	}
	return body, err
}

func (tiles) Height() int { return 8 }

func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range wanted {
		// The paths of tlog-tiles are those of sumdb without the height, which is always 8.
		path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
		body, err := get(t.prefix + path)
		if err != nil {
			return nil, err
		}
		all = append(all, body)
	}
	return all, nil
}

func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	prefix, vkey := os.Args[1], os.Args[2]
	signed, err := get(prefix + "checkpoint")
	fail(err)
	verifier, err := note.NewVerifier(vkey)
	fail(err)
	opened, err := note.Open(signed, note.VerifierList(verifier))
	fail(err)
	lines := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	fail(err)
	bytes, err := base64.StdEncoding.DecodeString(lines[2])
	fail(err)
	var root tlog.Hash
	copy(root[:], bytes)
	reader := tlog.TileHashReader(tlog.Tree{N: size, Hash: root}, tiles{prefix})
	checked := 0
	for index := int64(0); index < size; index += 1 + size/50 {
		hashes, err := reader.ReadHashes([]int64{tlog.StoredHashIndex(0, index)})
		fail(err)
		proof, err := tlog.ProveRecord(size, index, reader)
		fail(err)
		fail(tlog.CheckRecord(proof, size, root, index, hashes[0]))
		if index > 0 {
			older, err := tlog.TreeHash(index, reader)
			fail(err)
			grown, err := tlog.ProveTree(size, index, reader)
			fail(err)
			fail(tlog.CheckTree(grown, size, root, index, older))
		}
		// The entry is what its leaf is the hash of.
		bundle, width := index/256, size-index/256*256
		path := fmt.Sprintf("tile/entries/%03d", bundle)
		if width < 256 {
			path += fmt.Sprintf(".p/%d", width)
		}
		entries, err := get(prefix + path)
		fail(err)
		entry := entries[index%256*53 : index%256*53+53]
		if tlog.RecordHash(entry[2:]) != hashes[0] {
			fail(fmt.Errorf("the entry of leaf %d is not the one that was hashed", index))
		}
		checked++
	}
	fmt.Printf("verified %d leaves of %d\n", checked, size)
}
