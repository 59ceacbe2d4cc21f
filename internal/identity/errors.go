package identity

import (
	"fmt"

	"parlance/internal/fault"
)

// The reasons of refusals that transports tell apart; every other Unauthorized fault is about a token that was read.
const (
	MissingToken         = "missing_token"
	MalformedCredentials = "malformed_credentials"
)

func missingToken() error {
	return &fault.Error{
		Kind: fault.Unauthorized, Reason: MissingToken, Message: "This namespace needs a token",
		Hint: "send it as Authorization: Bearer TOKEN",
	}
}

// malformed never repeats what was sent: it may be most of a secret.
func malformed(message string) error {
	return &fault.Error{Kind: fault.Unauthorized, Reason: MalformedCredentials, Message: message}
}

// refused says no more than that the token is not valid; why is the reason's to tell the log.
func refused(reason string) error {
	return &fault.Error{Kind: fault.Unauthorized, Reason: reason, Message: "The token is not valid"}
}

func expired() error {
	return &fault.Error{Kind: fault.Unauthorized, Reason: "token_expired", Message: "The token has expired"}
}

func noKeys(cause error) error {
	return &fault.Error{
		Kind: fault.Unavailable, Reason: "issuer_unavailable", Retryable: true, Cause: cause,
		Message: "The token cannot be checked at the moment", Hint: "try again in a moment",
	}
}

func notCovered(endpoints []string) error {
	return &fault.Error{
		Kind: fault.Forbidden, Reason: "role_not_covering",
		Message: fmt.Sprintf("No role of this identity covers the %s endpoint", endpoints[0]),
	}
}
