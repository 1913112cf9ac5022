module github.com/greedgraph/greed

go 1.26
