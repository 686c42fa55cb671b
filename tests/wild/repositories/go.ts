// A Go module without dependencies: packages below internal, a command, and golden files in testdata.
import { code, type Wild } from "../wild.ts";

const feature = {
  product: {
    "internal/count/stop.go": code`
      package count

      // Without removes words that say little by themselves.
      func Without(words []Word, stop ...string) []Word {
      	left := []Word{}
      	for _, word := range words {
      		if !contains(stop, word.Text) {
      			left = append(left, word)
      		}
      	}
      	return left
      }

      func contains(texts []string, wanted string) bool {
      	for _, text := range texts {
      		if text == wanted {
      			return true
      		}
      	}
      	return false
      }
    `,
  },
  tests: {
    "internal/count/stop_test.go": code`
      package count

      import "testing"

      func TestWithoutRemovesStopWords(t *testing.T) {
      	left := Without(Words("the cat and the hat"), "the", "and")
      	if len(left) != 2 || left[0].Text != "cat" || left[1].Text != "hat" {
      		t.Fatalf("got %v", left)
      	}
      }

      func TestWithoutNothingKeepsAll(t *testing.T) {
      	if left := Without(Words("a b c")); len(left) != 3 {
      		t.Fatalf("got %v", left)
      	}
      }
    `,
  },
} as const;

export const go: Wild = {
  files: {
    ".gitignore": "/bin/\n*.test\n*.out\n",
    "README.md": "# wordly\n\nCounts the words of a text: `go run ./cmd/wordly < book.txt`.\n",
    "go.mod": "module example.invalid/wordly\n\ngo 1.19\n",
    "cmd/wordly/main.go": code`
      // Command wordly counts the words of what it reads.
      package main

      import (
      	"fmt"
      	"io"
      	"os"

      	"example.invalid/wordly/internal/count"
      )

      func main() {
      	text, err := io.ReadAll(os.Stdin)
      	if err != nil {
      		fmt.Fprintln(os.Stderr, err)
      		os.Exit(1)
      	}
      	fmt.Print(count.Render(count.Words(string(text))))
      }
    `,
    "internal/count/count.go": code`
      // Package count counts words.
      package count

      import (
      	"fmt"
      	"sort"
      	"strings"
      	"unicode"
      )

      // Word is a word and how often it occurs.
      type Word struct {
      	Text  string
      	Times int
      }

      // Words are ordered by how often they occur, then by the alphabet.
      func Words(text string) []Word {
      	times := map[string]int{}
      	for _, word := range strings.FieldsFunc(text, isBreak) {
      		times[strings.ToLower(word)]++
      	}
      	words := []Word{}
      	for text, count := range times {
      		words = append(words, Word{text, count})
      	}
      	sort.Slice(words, func(i, j int) bool {
      		if words[i].Times != words[j].Times {
      			return words[i].Times > words[j].Times
      		}
      		return words[i].Text < words[j].Text
      	})
      	return words
      }

      func isBreak(letter rune) bool {
      	return !unicode.IsLetter(letter) && !unicode.IsDigit(letter) && letter != '\''
      }

      // Render prints a word per line.
      func Render(words []Word) string {
      	text := strings.Builder{}
      	for _, word := range words {
      		fmt.Fprintf(&text, "%4d %s\n", word.Times, word.Text)
      	}
      	return text.String()
      }
    `,
    "internal/count/count_test.go": code`
      package count

      import (
      	"os"
      	"testing"
      )

      func TestWords(t *testing.T) {
      	for _, tc := range []struct {
      		name, text string
      		want       []Word
      	}{
      		{"letters of any case are the same", "Go go GO", []Word{{"go", 3}}},
      		{"an apostrophe belongs to its word", "don't", []Word{{"don't", 1}}},
      		{"ties are in the order of the alphabet", "b a", []Word{{"a", 1}, {"b", 1}}},
      		{"nothing has no words", " ,; ", []Word{}},
      	} {
      		t.Run(tc.name, func(t *testing.T) {
      			got := Words(tc.text)
      			if len(got) != len(tc.want) {
      				t.Fatalf("got %v, want %v", got, tc.want)
      			}
      			for at := range got {
      				if got[at] != tc.want[at] {
      					t.Errorf("got %v, want %v", got[at], tc.want[at])
      				}
      			}
      		})
      	}
      }

      func TestRenderMatchesTheGoldenFile(t *testing.T) {
      	input, err := os.ReadFile("testdata/rhyme.txt")
      	if err != nil {
      		t.Fatal(err)
      	}
      	golden, err := os.ReadFile("testdata/rhyme.golden")
      	if err != nil {
      		t.Fatal(err)
      	}
      	if got := Render(Words(string(input))); got != string(golden) {
      		t.Errorf("got:\n%s", got)
      	}
      }
    `,
    "internal/count/testdata/rhyme.txt": "Row, row, row your boat,\ndon't row it back.\n",
    "internal/count/testdata/rhyme.golden": "   4 row\n   1 back\n   1 boat\n   1 don't\n   1 it\n   1 your\n",
  },
  install: ["go version"],
  reinstall: ["go version"],
  check: { run: "go test ./..." },
  expect: { lines: 0 },
  feature,
  broken: {
    product: {
      ...feature.product,
      "internal/count/count.go": [[" && letter != '\\''", ""]],
    },
    tests: {
      ...feature.tests,
      "internal/count/count_test.go": [
        [
          '{"an apostrophe belongs to its word", "don\'t", []Word{{"don\'t", 1}}}',
          '{"an apostrophe ends a word", "don\'t", []Word{{"don", 1}, {"t", 1}}}',
        ],
      ],
      "internal/count/testdata/rhyme.golden": "   4 row\n   1 back\n   1 boat\n   1 don\n   1 it\n   1 t\n   1 your\n",
    },
  },
};
