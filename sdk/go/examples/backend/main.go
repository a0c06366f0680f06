// A partner's backend: prices of new tokens, and the registration of users. API_KEY=… go run ./examples/backend
package main

import (
	"encoding/json"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"

	curvekit "github.com/curvekit/curvekit/sdk/go"
	"github.com/curvekit/curvekit/sdk/go/api"
)

func main() {
	client, err := curvekit.New(os.Getenv("LAUNCHPAD_URL"), curvekit.WithAPIKey(os.Getenv("API_KEY")))
	listener, failure := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil || failure != nil {
		log.Fatal(err, failure)
	}
	serve("/prices", func(r *http.Request) (any, error) {
		prices := map[string]string{}
		page, err := curvekit.Do(client.MarketAPI.ListTokens(r.Context()).Limit(20).Execute())
		for i := 0; err == nil && i < len(page.Items); i++ {
			var lamports *big.Int
			lamports, err = curvekit.Value(page.Items[i], big.NewInt(1_000_000_000_000)) // a million tokens
			prices[page.Items[i].Mint] = curvekit.Format(lamports, 9)
		}
		return prices, err
	})
	serve("/message", func(r *http.Request) (any, error) {
		return curvekit.Do(client.PartnerAPIAPI.GetRegistrationMessage(r.Context()).Execute())
	})
	serve("/register", func(r *http.Request) (any, error) {
		var user api.UserRegistration
		if err := json.NewDecoder(r.Body).Decode(&user); err != nil {
			return nil, err
		}
		return curvekit.Do(client.PartnerAPIAPI.RegisterUser(r.Context()).UserRegistration(user).Execute())
	})
	log.Print("http://", listener.Addr())
	log.Fatal(http.Serve(listener, nil))
}

func serve(path string, answer func(*http.Request) (any, error)) {
	http.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		body, err := answer(r)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			body = map[string]string{"error": err.Error()}
		}
		_ = json.NewEncoder(w).Encode(body)
	})
}
