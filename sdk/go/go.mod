module github.com/curvekit/curvekit/sdk/go

go 1.19
