package main

// datasetCommand groups the commands for collections.
type datasetCommand struct {
	Info    datasetInfo    `cmd:"" help:"Describe a collection: sizes, labels, shapes."`
	Convert datasetConvert `cmd:"" help:"Write a collection in another format."`
	Sample  datasetSample  `cmd:"" help:"Draw graphs, queries or neighbourhoods from a collection."`
	Split   datasetSplit   `cmd:"" help:"Divide a collection into parts that share no graph."`
	Check   datasetCheck   `cmd:"" help:"Read a whole collection and report every problem."`
}
