// A partner's backend: the newest tokens with their prices, and the registration of users.
// API_KEY=… go run ./examples/backend
package main

import (
	"encoding/json"
	"errors"
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
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/tokens", func(w http.ResponseWriter, r *http.Request) {
		page, err := curvekit.Do(client.MarketAPI.ListTokens(r.Context()).Limit(10).Execute())
		prices := map[string]string{}
		for i := 0; err == nil && i < len(page.Items); i++ {
			var lamports *big.Int
			lamports, err = curvekit.Value(page.Items[i], big.NewInt(1_000_000_000_000)) // a million tokens
			if err == nil {
				prices[page.Items[i].Symbol] = curvekit.Format(lamports, 9)
			}
		}
		answer(w, prices, err)
	})
	http.HandleFunc("/message", func(w http.ResponseWriter, r *http.Request) {
		message, err := curvekit.Do(client.PartnerAPIAPI.GetRegistrationMessage(r.Context()).Execute())
		answer(w, message, err)
	})
	http.HandleFunc("/register", func(w http.ResponseWriter, r *http.Request) {
		var user api.UserRegistration
		err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4096)).Decode(&user)
		if err == nil {
			_, err = curvekit.Do(client.PartnerAPIAPI.RegisterUser(r.Context()).UserRegistration(user).Execute())
		}
		answer(w, user.PublicKey, err)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	log.Print("http://", listener.Addr())
	log.Fatal(http.Serve(listener, nil))
}

func answer(w http.ResponseWriter, body any, err error) {
	status := http.StatusOK
	var refusal *curvekit.Error
	if errors.As(err, &refusal) {
		status, body = refusal.Status, refusal
	} else if err != nil {
		status, body = http.StatusBadRequest, err.Error()
	}
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
