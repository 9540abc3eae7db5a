// Package sink declares a notification's context. Error texts and %T show its name.
package sink

import "time"

type Payload struct {
	Plan            PlanInfo     `json:"plan"`
	Event           string       `json:"event"`
	Timestamp       time.Time    `json:"timestamp"`
	Phase           string       `json:"phase"`
	PreviousPhase   string       `json:"previousPhase"`
	Operation       string       `json:"operation"`
	CycleID         string       `json:"cycleId"`
	Targets         []TargetInfo `json:"targets"`
	TargetExecution *TargetInfo  `json:"targetExecution,omitempty"`
	ErrorMessage    string       `json:"errorMessage"`
	RetryCount      int          `json:"retryCount"`
	SinkName        string       `json:"sinkName"`
	SinkType        string       `json:"sinkType"`
}

type PlanInfo struct {
	Name, Namespace     string
	Labels, Annotations map[string]string
}

func (p PlanInfo) String() string { return p.Namespace + "/" + p.Name }

type TargetInfo struct {
	Name, Executor, State, Message, ErrorMessage string
	Connector                                    ConnectorInfo
}

type ConnectorInfo struct {
	Kind, Name, Provider, AccountID, ProjectID, Region, ClusterName string
}
