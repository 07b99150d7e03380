package histories

var Describe = describe
