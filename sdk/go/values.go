package curvekit

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/curvekit/curvekit/sdk/go/api"
)

// Error is a refusal of the service. Find it with errors.As.
type Error struct {
	Status int
	// Code is the API's, such as TOKEN_NOT_FOUND; UNKNOWN when something else answered.
	Code    string
	Message string
	// Fields has each wrong field and its problem.
	Fields []api.FieldProblem
	// RetryAfter is 0 unless the service says when to ask again.
	RetryAfter time.Duration
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%s (%d): %s", e.Code, e.Status, e.Message)
	for _, problem := range e.Fields {
		text += fmt.Sprintf("; %s %s", problem.Field, problem.Message)
	}
	return text
}

// Do takes what a generated call returns, and makes an *Error of a refusal:
//
//	token, err := curvekit.Do(client.MarketAPI.GetToken(ctx, mint).Execute())
func Do[T any](answer T, response *http.Response, err error) (T, error) {
	var refusal *api.GenericOpenAPIError
	if err == nil || response == nil || !errors.As(err, &refusal) {
		return answer, err
	}
	var body struct {
		Code, Error, Message string
		Errors               []api.FieldProblem
	}
	found := &Error{Status: response.StatusCode, Code: "UNKNOWN", Message: err.Error()}
	if json.Unmarshal(refusal.Body(), &body) == nil && body.Code+body.Error != "" {
		// The Partner API has its code in `error`.
		found.Code, found.Message, found.Fields = body.Code+body.Error, body.Message, body.Errors
	}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
		found.RetryAfter = time.Duration(seconds) * time.Second
	}
	return answer, found
}

// Amount reads an amount of the Market API: lamports or token units as decimal text, which can exceed an int64.
func Amount(text string) (*big.Int, error) {
	amount, ok := new(big.Int).SetString(text, 10)
	if !ok || amount.Sign() < 0 {
		return nil, fmt.Errorf("amount is %q; it must be a decimal integer that is not negative", text)
	}
	return amount, nil
}

// Value is what token units are worth at the token's price, in lamports, rounded down. It is 0 with an error.
func Value(token api.TokenSummary, units *big.Int) (*big.Int, error) {
	sol, err := Amount(token.VirtualSol)
	tokens, failure := Amount(token.VirtualToken)
	if err != nil || failure != nil || tokens.Sign() == 0 {
		return new(big.Int), fmt.Errorf("token %s has no price: %q lamports for %q units", token.Mint, token.VirtualSol, token.VirtualToken)
	}
	return sol.Quo(sol.Mul(sol, units), tokens), nil
}

// Format writes an amount with its decimals, exactly: 9 for SOL, 6 for tokens.
func Format(amount *big.Int, decimals int) string {
	digits := fmt.Sprintf("%0*s", decimals+1, amount.String())
	whole, fraction := digits[:len(digits)-decimals], strings.TrimRight(digits[len(digits)-decimals:], "0")
	return strings.TrimRight(whole+"."+fraction, ".")
}

// ReadWallet reads a keypair file of the Solana tools: a list of 64 bytes.
func ReadWallet(path string) (ed25519.PrivateKey, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var numbers []uint16
	key := ed25519.PrivateKey{}
	_ = json.Unmarshal(text, &numbers)
	for _, number := range numbers {
		key = append(key, byte(number))
	}
	if len(key) != ed25519.PrivateKeySize || !bytes.Equal(ed25519.NewKeyFromSeed(key.Seed()), key) {
		return nil, fmt.Errorf("%s is no keypair file: it must have a list of 64 bytes, the last 32 the public key", path)
	}
	return key, nil
}

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// Base58 writes an address or a signature.
func Base58(data []byte) string {
	text, number, rest := []byte{}, new(big.Int).SetBytes(data), new(big.Int)
	for number.Sign() > 0 {
		number.QuoRem(number, big.NewInt(58), rest)
		text = append([]byte{alphabet[rest.Int64()]}, text...)
	}
	zeros := len(data) - len(bytes.TrimLeft(data, "\x00"))
	return strings.Repeat("1", zeros) + string(text)
}
