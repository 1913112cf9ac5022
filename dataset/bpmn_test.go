package dataset_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/greedgraph/greed/dataset"
)

// claimBPMN is two processes with what files of modellers have.
const claimBPMN = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI">
 <bpmn:collaboration id="c"><bpmn:participant id="x" processRef="claim"/><bpmn:messageFlow id="m" sourceRef="check" targetRef="wait"/></bpmn:collaboration>
 <bpmn:process id="claim" name="Claim" isExecutable="false">
  <bpmn:documentation>How claims are paid.</bpmn:documentation>
  <bpmn:laneSet><bpmn:lane><bpmn:flowNodeRef>check</bpmn:flowNodeRef></bpmn:lane></bpmn:laneSet>
  <bpmn:startEvent id="start"><bpmn:outgoing>f1</bpmn:outgoing><bpmn:messageEventDefinition/></bpmn:startEvent>
  <bpmn:sequenceFlow id="f1" sourceRef="start" targetRef="check"/>
  <bpmn:userTask id="check" name="Check&#10;claim"/>
  <bpmn:boundaryEvent id="late" attachedToRef="check"/>
  <bpmn:exclusiveGateway id="ok" name="ok?"/>
  <bpmn:sequenceFlow id="f2" sourceRef="check" targetRef="ok"/>
  <bpmn:subProcess id="pay"><bpmn:task id="book"/></bpmn:subProcess>
  <bpmn:sequenceFlow id="f3" name="yes" sourceRef="ok" targetRef="pay"><bpmn:conditionExpression>x</bpmn:conditionExpression></bpmn:sequenceFlow>
  <bpmn:dataObject id="d"/><bpmn:textAnnotation id="t"/>
 </bpmn:process>
 <bpmn:process id="other"><bpmn:receiveTask id="wait"/></bpmn:process>
 <bpmndi:BPMNDiagram><bpmndi:BPMNPlane bpmnElement="c"/></bpmndi:BPMNDiagram>
</bpmn:definitions>`

func TestBPMN(t *testing.T) {
	list, notes := mustRead(t, claimBPMN, "claim.bpmn", dataset.Options{})
	var got []string
	for _, rec := range list {
		got = append(got, rec.ID+" "+rec.Name+": "+drawing(rec.Graph))
	}
	want := []string{
		"claim Claim: startEvent userTask boundaryEvent exclusiveGateway subProcess task; 0>1:sequenceFlow 1>2:attachedTo 1>3:sequenceFlow 3>4:sequenceFlow",
		"other : receiveTask; ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !contains(notes, "1 message flow between processes was left out") {
		t.Errorf("notes %q", notes)
	}
	list, _ = mustRead(t, claimBPMN, "claim.bpmn", dataset.Options{Rules: dataset.Rules{NodeLabel: "name", EdgeLabel: "name"}})
	if got, want := drawing(list[0].Graph), "startEvent Check claim boundaryEvent ok? subProcess task; 0>1:sequenceFlow 1>2:attachedTo 1>3:sequenceFlow 3>4:yes"; got != want {
		t.Errorf("by name: %s, want %s", got, want)
	}
	list, _ = mustRead(t, claimBPMN, "claim.bpmn", dataset.Options{Rules: dataset.Rules{NodeLabel: "type,name"}})
	if got := list[0].Graph.LabelText(1); got != "userTask|Check claim" {
		t.Errorf("by both: %s", got)
	}
}
